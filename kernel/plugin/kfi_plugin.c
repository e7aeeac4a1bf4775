// SPDX-License-Identifier: GPL-2.0
/*
 * A gcc plugin that puts KFI's call sites into functions that have become machine code: after
 * inlining, and after everything else that calls in a function would have kept the compiler from
 * doing. It takes -finstrument-functions to itself, so that whatever goes without that option goes
 * without call sites.
 *
 * kernel/kfi/arch/entry_x86.S, entry_arm.S and entry_arm64.S show an instrumented function.
 * An architecture has LAST_PASS, after which sites are put in, entry_of() and leave_at(), which put
 * in one site each, and must_come_first(), what stays before the first.
 * Not part of the recorder: built by scripts/gcc-plugins/ of a kernel's tree, run by the compiler.
 */
#include "gcc-common.h"
#include "insn-constants.h"

__visible int plugin_is_GPL_compatible;

static struct plugin_info kfi_plugin_info = {
	.version = PLUGIN_VERSION,
	.help = "-finstrument-functions: call out after inlining\n",
};

/* Does the kernel have endbr64 where functions begin? -fplugin-arg-kfi_plugin-ibt */
static bool has_ibt;

/* An entry of the table of sites: see kernel/kfi/arch/arch.h. */
#define IN_TABLE(entry) \
	"\t.pushsection __patchable_function_entries.kfi, \"aw\"\n" \
	"\t.long " entry "\n" \
	"\t.popsection"

static rtx text(const char *string)
{
	return gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(string),
				     DECL_SOURCE_LOCATION(current_function_decl));
}

#if defined(R30_REGNUM) || defined(IP_REGNUM)

/* After that it is only looked how long branches are, and written. */
#define LAST_PASS	"eh_ranges"

static bool must_come_first(const_rtx pattern)
{
	return false;
}

/* What instructions of two sizes have behind their names, so that they are of the larger one. */
#ifdef TARGET_THUMB
#define WIDE	(TARGET_THUMB ? ".w" : "")
#else
#define WIDE	""
#endif

/* A text that needs the number of the function, %1$d, and WIDE, %2$s. */
static rtx numbered(const char *format)
{
	char *string = xasprintf(format, current_function_funcdef_no, WIDE);
	rtx insn = text(string);

	free(string);
	return insn;
}

/*
 * On arm and arm64 a site is a branch to a piece of code of its own, by which the hook learns the
 * address of the function. The function has a label besides its name, which may be another one's if
 * it is weak. All of it is in one section: gcc splits none there, and the linker would not take it.
 */
#define BRANCH_SITE(branch, piece) \
	"911:\t" branch " 912f\n" \
	IN_TABLE("911b - ., 0") "\n" \
	"\t.subsection 1\n" \
	piece \
	"\t.previous"

#endif

#ifdef R30_REGNUM	/* arm64 */

/* x10 has the address of the function, and x9 its return address at an entry. */
static rtx entry_of(bool behind_endbr)
{
	return numbered(".Lkfi%1$d:\n"
			BRANCH_SITE("b",
				    "912:\tmov x9, x30\n"
				    "\tadr x10, .Lkfi%1$d\n"
				    "\tbl kfi_entry\n"
				    "\tmov x30, x9\n"
				    "\tb 911b + 4\n"));
}

static void leave_at(rtx_insn *ret, rtx_insn *after)
{
	emit_insn_before(numbered(BRANCH_SITE("b",
					      "912:\tadr x10, .Lkfi%1$d\n"
					      "\tb kfi_exit\n")), ret);
}

#elif defined(IP_REGNUM)	/* arm */

/*
 * Later passes place the constants of a function within reach of its code, so the code must be as
 * long by then as it will be: the pass before has placeholders, a line for each four bytes.
 */
#define FIRST_PASS	"*free_cfg"
#define PLACE_OF_SITE		""
#define PLACE_OF_SITE_AND_WORD	"\n"

#define B	"b%2$s"
#define MOV	"mov%2$s"

/*
 * A piece ends with a word, so it begins with data, of which there is none: or the assembler, which
 * comes from the function's code and looks at that only, would not mark the piece as code.
 */
#define CODE	"\t.ascii \"\"\n\t.balign 4\n"

/* ip has the function's return address; its own is the word that is eight bytes behind the call. */
static rtx entry_of(bool behind_endbr)
{
	return numbered(".Lkfi%1$d:\n"
			BRANCH_SITE(B, CODE
				    "912:\t" MOV " ip, lr\n"
				    "\tbl kfi_entry\n"
				    "\t" MOV " lr, ip\n"
				    "\t" B " 911b + 4\n"
				    "\t.word .Lkfi%1$d\n"));
}

/* Does the function begin by saving lr? What it returns by then reads pc from the stack. */
static bool lr_is_saved(void)
{
	rtx_insn *insn;

	for (insn = get_insns(); insn; insn = NEXT_INSN(insn))
		if (NONJUMP_INSN_P(insn) && RTX_FRAME_RELATED_P(insn) &&
		    refers_to_regno_p(LR_REGNUM, PATTERN(insn)))
			return true;
	return false;
}

static bool lr_is_needed(const rtx_insn *ret)
{
	const_rtx pattern = PATTERN(ret);

	return GET_CODE(pattern) == SIMPLE_RETURN ||
	       (GET_CODE(pattern) == RETURN && !lr_is_saved());
}

/*
 * The word with the address of the function is four bytes behind the call of the hook. In ARM code
 * the call can be in place, with the return right behind it, which is one instruction.
 */
static void leave_at(rtx_insn *ret, rtx_insn *after)
{
	if (lr_is_needed(ret)) {
		emit_insn_before(numbered(BRANCH_SITE(B, CODE
						      "912:\t" MOV " ip, lr\n"
						      "\tbl kfi_exit\n"
						      "\tbx ip\n"
						      "\t.balign 4\n"
						      "\t.word .Lkfi%1$d\n")), ret);
	} else if (TARGET_ARM) {
		emit_insn_before(text("911:\tbl kfi_exit\n" IN_TABLE("911b - ., 0")), ret);
		emit_insn_after(numbered("\t.word .Lkfi%1$d"), ret);
	} else {
		emit_insn_before(numbered(BRANCH_SITE(B, CODE
						      "912:\tbl kfi_exit\n"
						      "\t" B " 911b + 4\n"
						      "\t.word .Lkfi%1$d\n")), ret);
	}
}

/* A return with a condition becomes a jump to one without, behind all other code. */
static void jump_to_return(rtx_insn *insn)
{
	rtx set = single_set(insn), choice = SET_SRC(set), way;
	rtx_code_label *label = gen_label_rtx();
	int which = ANY_RETURN_P(XEXP(choice, 1)) ? 1 : 2;
	rtx_insn *ret;

	way = XEXP(choice, which);
	ret = emit_jump_insn_after(way, emit_label_after(label, get_last_insn()));
	emit_barrier_after(ret);
	JUMP_LABEL(ret) = way;
	set = copy_rtx(set);
	XEXP(SET_SRC(set), which) = gen_rtx_LABEL_REF(Pmode, label);
	ret = emit_jump_insn_before(set, insn);
	JUMP_LABEL(ret) = label;
	LABEL_NUSES(label)++;
	delete_insn(insn);
}

/* Before it the notes a function begins with: FIRST_PASS wants one to be first. */
static unsigned int kfi_room_execute(void)
{
	rtx_insn *insn, *next;

	for (insn = get_insns(); insn; insn = next) {
		next = NEXT_INSN(insn);
		if (JUMP_P(insn) && returnjump_p(insn) && any_condjump_p(insn))
			jump_to_return(insn);
	}
	for (insn = get_insns(); insn; insn = NEXT_INSN(insn))
		if (JUMP_P(insn) && returnjump_p(insn))
			emit_insn_before(text(PLACE_OF_SITE_AND_WORD), insn);
	emit_insn_after(text(PLACE_OF_SITE), get_insns());
	return 0;
}

#else

/* The last one that puts something at a function's entry. */
#define LAST_PASS	"endbr_and_patchable_area"

/* A site is a call. */
#define SITE(name) \
	"911:\tcall " name "\n" \
	IN_TABLE("911b - .")

/*
 * With kernel IBT each function that may be jumped to begins with endbr64. All others begin with a
 * nop of the same size, so that the function is always as far before its site: the entry hook need
 * not read the text there, which may be another page, and not mapped.
 */
#define AS_LONG_AS_ENDBR	"\t.byte 0x66, 0x0f, 0x1f, 0x00\n"

static rtx entry_of(bool behind_endbr)
{
	return text(has_ibt && !behind_endbr ? AS_LONG_AS_ENDBR SITE("kfi_entry") :
		    SITE("kfi_entry"));
}

/* Behind the return, never executed: "test $imm, %eax" with the distance to the function. */
static rtx function_is(tree func)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(func));
	char *string = xasprintf("\t.byte 0xa9\n\t.long %s - .", targetm.strip_name_encoding(name));
	rtx insn = text(string);

	free(string);
	return insn;
}

static void leave_at(rtx_insn *ret, rtx_insn *after)
{
	emit_insn_before(text(SITE("kfi_exit")), ret);
	emit_insn_after(function_is(current_function_decl), after);
}

/* endbr64 */
static bool must_come_first(const_rtx pattern)
{
	return GET_CODE(pattern) == UNSPEC_VOLATILE && XINT(pattern, 1) == UNSPECV_NOP_ENDBR;
}

#endif

/* Before the first label: a loop may begin there. */
static void call_entry(void)
{
	rtx_insn *first = get_insns(), *insn = first;

	while (insn && NOTE_P(insn))
		insn = NEXT_INSN(insn);
	if (insn && NONJUMP_INSN_P(insn) && must_come_first(PATTERN(insn)))
		emit_insn_after(entry_of(true), insn);
	else
		emit_insn_before(entry_of(false), first);
}

static unsigned int kfi_execute(void)
{
	rtx_insn *insn, *next;

	for (insn = get_insns(); insn; insn = next) {
		next = NEXT_INSN(insn);
		if (CALL_P(insn) && SIBLING_CALL_P(insn))
			error("%qD ends in a jump to another function, and its exit would not be seen: -fno-optimize-sibling-calls is needed",
			      current_function_decl);
		if (!JUMP_P(insn) || !returnjump_p(insn))
			continue;
		gcc_assert(next && BARRIER_P(next));
		leave_at(insn, next);
	}
	call_entry();
	return 0;
}

/*
 * By the attribute: the parser says of each function that it is not to be instrumented once the
 * option is not there. What has none and is left out, as by gcc itself, are the compiler's own
 * constructors.
 */
static bool kfi_gate(void)
{
	tree func = current_function_decl;

	return !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(func)) &&
	       !lookup_attribute("naked", DECL_ATTRIBUTES(func)) &&
	       !(DECL_ARTIFICIAL(func) && DECL_STATIC_CONSTRUCTOR(func));
}

#define PASS_NAME kfi
#include "gcc-generate-rtl-pass.h"

#ifdef FIRST_PASS
static bool kfi_room_gate(void)
{
	return kfi_gate();
}

#define PASS_NAME kfi_room
#include "gcc-generate-rtl-pass.h"
#endif

__visible int plugin_init(struct plugin_name_args *plugin_info, struct plugin_gcc_version *version)
{
	int i;

	PASS_INFO(kfi, LAST_PASS, 1, PASS_POS_INSERT_AFTER);
#ifdef FIRST_PASS
	PASS_INFO(kfi_room, FIRST_PASS, 1, PASS_POS_INSERT_BEFORE);
#endif

	if (!plugin_default_version_check(version, &gcc_version)) {
		error(G_("incompatible gcc/plugin versions"));
		return 1;
	}
	for (i = 0; i < plugin_info->argc; i++)
		if (!strcmp(plugin_info->argv[i].key, "ibt"))
			has_ibt = true;
	register_callback(plugin_info->base_name, PLUGIN_INFO, NULL, &kfi_plugin_info);
	if (!flag_instrument_function_entry_exit)
		return 0;
	flag_instrument_function_entry_exit = 0;
	register_callback(plugin_info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &kfi_pass_info);
#ifdef FIRST_PASS
	register_callback(plugin_info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL,
			  &kfi_room_pass_info);
#endif
	return 0;
}

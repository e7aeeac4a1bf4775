// SPDX-License-Identifier: GPL-2.0
/*
 * A gcc plugin that adds KFI's call sites to the machine code of functions: after inlining, and
 * after every other optimization that a call in a function would prevent. It takes over the option
 * -finstrument-functions, so code that is compiled without the option gets no call sites.
 *
 * kernel/kfi/arch/entry_x86.S, entry_arm.S, entry_arm64.S and entry_riscv.S show an instrumented
 * function. Each architecture defines: INSERT_AFTER, the pass of gcc after which sites are added;
 * entry_site(), the insn of an entry site; emit_exit_site(), which adds an exit site; and
 * is_endbr(), an insn that must stay before the entry site.
 * This file is not part of the recorder: scripts/gcc-plugins/ of a kernel's tree builds it, and the
 * compiler runs it.
 */
#include "gcc-common.h"
#include "insn-constants.h"

__visible int plugin_is_GPL_compatible;

static struct plugin_info kfi_plugin_info = {
	.version = PLUGIN_VERSION,
	.help = "-finstrument-functions: call the hooks after inlining\n",
};

/* The kernel has endbr64 where functions begin: set by -fplugin-arg-kfi_plugin-ibt. */
static bool has_ibt;

/* Adds a row to the table of call sites: see kernel/kfi/arch/arch.h. */
#define TABLE_ROW(entry) \
	"\t.pushsection __patchable_function_entries.kfi, \"aw\"\n" \
	"\t.long " entry "\n" \
	"\t.popsection"

static rtx asm_insn(const char *string)
{
	return gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(string),
				     DECL_SOURCE_LOCATION(current_function_decl));
}

#if defined(R30_REGNUM) || defined(IP_REGNUM) || defined(T0_REGNUM)

/* The passes after this one only compute the lengths of branches and write the code. */
#define INSERT_AFTER	"eh_ranges"

static bool is_endbr(const_rtx pattern)
{
	return false;
}

/* Suffix of instructions that have two sizes: it selects the larger size. */
#ifdef TARGET_THUMB
#define WIDE	(TARGET_THUMB ? ".w" : "")
#else
#define WIDE	""
#endif

/* Assembly in which %1$d is the number of the function, and %2$s is WIDE. */
static rtx numbered_asm_insn(const char *format)
{
	char *string = xasprintf(format, current_function_funcdef_no, WIDE);
	rtx insn = asm_insn(string);

	free(string);
	return insn;
}

/*
 * On arm, arm64 and riscv a site is a branch to its own piece of code, which tells the hook the
 * address of the function. The address comes from a label of ours: if the function is weak, its
 * name may belong to another function. Branch and piece must be in the same section, or the kernel
 * does not link. They are, because gcc does not split a function into two sections on these
 * architectures.
 */
#define BRANCH_SITE(branch, piece) \
	"911:\t" branch " 912f\n" \
	TABLE_ROW("911b - ., 0") "\n" \
	"\t.subsection 1\n" \
	piece \
	"\t.previous"

#endif

#ifdef R30_REGNUM	/* arm64 */

/* The hook gets the function's address in x10 and, at an entry, its return address in x9. */
static rtx entry_site(bool behind_endbr)
{
	return numbered_asm_insn(".Lkfi%1$d:\n"
				 BRANCH_SITE("b",
					     "912:\tmov x9, x30\n"
					     "\tadr x10, .Lkfi%1$d\n"
					     "\tbl kfi_entry\n"
					     "\tmov x30, x9\n"
					     "\tb 911b + 4\n"));
}

static void emit_exit_site(rtx_insn *ret, rtx_insn *after)
{
	emit_insn_before(numbered_asm_insn(BRANCH_SITE("b",
						       "912:\tadr x10, .Lkfi%1$d\n"
						       "\tb kfi_exit\n")), ret);
}

#elif defined(T0_REGNUM)	/* riscv */

/* A jump of four bytes: the assembler would take one of two bytes if it reaches far enough. */
#define J	".insn uj 0x6f, zero,"

/*
 * The hook gets the function's address in t4 and, at an entry, its return address in t3. A call or
 * a jump that goes far may need t0 and t1.
 */
static rtx entry_site(bool behind_endbr)
{
	return numbered_asm_insn(".Lkfi%1$d:\n"
				 BRANCH_SITE(J,
					     "912:\tmv t3, ra\n"
					     "\tlla t4, .Lkfi%1$d\n"
					     "\tcall kfi_entry\n"
					     "\tmv ra, t3\n"
					     "\tj 911b + 4\n"));
}

static void emit_exit_site(rtx_insn *ret, rtx_insn *after)
{
	emit_insn_before(numbered_asm_insn(BRANCH_SITE(J,
						       "912:\tlla t4, .Lkfi%1$d\n"
						       "\ttail kfi_exit\n")), ret);
}

#elif defined(IP_REGNUM)	/* arm */

/*
 * A later pass places the constants of a function within reach of its code, by the length of the
 * code. So a pass before that one reserves the room of the sites: it adds placeholders, which have
 * one line of assembly for each four bytes.
 */
#define RESERVE_BEFORE	"*free_cfg"
#define PLACE_OF_SITE		""
#define PLACE_OF_SITE_AND_WORD	"\n"

#define B	"b%2$s"
#define MOV	"mov%2$s"

/*
 * Makes the assembler mark a piece as code. A piece ends with a data word. The assembler compares
 * the piece with what it assembled before, the function's code, and would see no change. So the
 * piece begins with data of length zero.
 */
#define MARK_AS_CODE	"\t.ascii \"\"\n\t.balign 4\n"

/*
 * The hook gets the function's return address in ip. It reads the function's address from the word
 * that is eight bytes behind the call.
 */
static rtx entry_site(bool behind_endbr)
{
	return numbered_asm_insn(".Lkfi%1$d:\n"
				 BRANCH_SITE(B, MARK_AS_CODE
					     "912:\t" MOV " ip, lr\n"
					     "\tbl kfi_entry\n"
					     "\t" MOV " lr, ip\n"
					     "\t" B " 911b + 4\n"
					     "\t.word .Lkfi%1$d\n"));
}

/* Return true if the function begins by saving lr. Its return then loads pc from the stack. */
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
 * the call needs no piece of its own: the return behind the call is one instruction of four bytes.
 */
static void emit_exit_site(rtx_insn *ret, rtx_insn *after)
{
	if (lr_is_needed(ret)) {
		emit_insn_before(numbered_asm_insn(BRANCH_SITE(B, MARK_AS_CODE
							       "912:\t" MOV " ip, lr\n"
							       "\tbl kfi_exit\n"
							       "\tbx ip\n"
							       "\t.balign 4\n"
							       "\t.word .Lkfi%1$d\n")), ret);
	} else if (TARGET_ARM) {
		emit_insn_before(asm_insn("911:\tbl kfi_exit\n" TABLE_ROW("911b - ., 0")), ret);
		emit_insn_after(numbered_asm_insn("\t.word .Lkfi%1$d"), ret);
	} else {
		emit_insn_before(numbered_asm_insn(BRANCH_SITE(B, MARK_AS_CODE
							       "912:\tbl kfi_exit\n"
							       "\t" B " 911b + 4\n"
							       "\t.word .Lkfi%1$d\n")), ret);
	}
}

/* Replaces a conditional return by a conditional jump to a return at the end of the function. */
static void split_conditional_return(rtx_insn *insn)
{
	rtx set = single_set(insn), choice = SET_SRC(set), target;
	rtx_code_label *label = gen_label_rtx();
	int which = ANY_RETURN_P(XEXP(choice, 1)) ? 1 : 2;
	rtx_insn *ret;

	target = XEXP(choice, which);
	ret = emit_jump_insn_after(target, emit_label_after(label, get_last_insn()));
	emit_barrier_after(ret);
	JUMP_LABEL(ret) = target;
	set = copy_rtx(set);
	XEXP(SET_SRC(set), which) = gen_rtx_LABEL_REF(Pmode, label);
	ret = emit_jump_insn_before(set, insn);
	JUMP_LABEL(ret) = label;
	LABEL_NUSES(label)++;
	delete_insn(insn);
}

/*
 * Adds placeholders before each return and at the entry. The placeholder of the entry goes behind
 * the first note, because RESERVE_BEFORE expects that a note is first.
 */
static unsigned int kfi_reserve_execute(void)
{
	rtx_insn *insn, *next;

	for (insn = get_insns(); insn; insn = next) {
		next = NEXT_INSN(insn);
		if (JUMP_P(insn) && returnjump_p(insn) && any_condjump_p(insn))
			split_conditional_return(insn);
	}
	for (insn = get_insns(); insn; insn = NEXT_INSN(insn))
		if (JUMP_P(insn) && returnjump_p(insn))
			emit_insn_before(asm_insn(PLACE_OF_SITE_AND_WORD), insn);
	emit_insn_after(asm_insn(PLACE_OF_SITE), get_insns());
	return 0;
}

#else

/* The last pass that adds something at a function's entry. */
#define INSERT_AFTER	"endbr_and_patchable_area"

/* A site is a call. */
#define SITE(name) \
	"911:\tcall " name "\n" \
	TABLE_ROW("911b - .")

/*
 * With kernel IBT each function that may be the target of an indirect jump begins with endbr64. The
 * other functions begin with a nop of the same size. So the distance from the function to its site
 * is always the same, and the entry hook need not read the text before the site. That text may be
 * in another page, which is not mapped.
 */
#define NOP_LIKE_ENDBR	"\t.byte 0x66, 0x0f, 0x1f, 0x00\n"

static rtx entry_site(bool behind_endbr)
{
	return asm_insn(has_ibt && !behind_endbr ? NOP_LIKE_ENDBR SITE("kfi_entry") :
			SITE("kfi_entry"));
}

/* Goes behind the return, never executed: "test $imm, %eax" with the distance to the function. */
static rtx function_offset(tree func)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(func));
	char *string = xasprintf("\t.byte 0xa9\n\t.long %s - .", targetm.strip_name_encoding(name));
	rtx insn = asm_insn(string);

	free(string);
	return insn;
}

/*
 * A function that returns a value in two registers calls another exit hook: most functions do not,
 * and kfi_exit() saves the first register only.
 */
static bool returns_two_registers(void)
{
	return crtl->return_rtx && refers_to_regno_p(DX_REG, crtl->return_rtx);
}

static void emit_exit_site(rtx_insn *ret, rtx_insn *after)
{
	const char *site = returns_two_registers() ? SITE("kfi_exit_wide") : SITE("kfi_exit");

	emit_insn_before(asm_insn(site), ret);
	emit_insn_after(function_offset(current_function_decl), after);
}

static bool is_endbr(const_rtx pattern)
{
	return GET_CODE(pattern) == UNSPEC_VOLATILE && XINT(pattern, 1) == UNSPECV_NOP_ENDBR;
}

#endif

/* The entry site must be before the first label, because a loop may begin at that label. */
static void emit_entry_site(void)
{
	rtx_insn *first = get_insns(), *insn = first;

	while (insn && NOTE_P(insn))
		insn = NEXT_INSN(insn);
	if (insn && NONJUMP_INSN_P(insn) && is_endbr(PATTERN(insn)))
		emit_insn_after(entry_site(true), insn);
	else
		emit_insn_before(entry_site(false), first);
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
		emit_exit_site(insn, next);
	}
	emit_entry_site();
	return 0;
}

/*
 * Return true if the function gets sites. The attribute decides, not the parser's flag:
 * plugin_init() clears the option, after which the parser flags every function as not instrumented.
 * Constructors that the compiler makes have no attribute; gcc does not instrument them either. A
 * function within a function that uses the other's variables gets their place in a register that
 * hooks do not keep.
 */
static bool kfi_gate(void)
{
	tree func = current_function_decl;

	return !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(func)) &&
	       !lookup_attribute("naked", DECL_ATTRIBUTES(func)) &&
	       !DECL_STATIC_CHAIN(func) &&
	       !(DECL_ARTIFICIAL(func) && DECL_STATIC_CONSTRUCTOR(func));
}

#define PASS_NAME kfi
#include "gcc-generate-rtl-pass.h"

#ifdef RESERVE_BEFORE
static bool kfi_reserve_gate(void)
{
	return kfi_gate();
}

#define PASS_NAME kfi_reserve
#include "gcc-generate-rtl-pass.h"
#endif

__visible int plugin_init(struct plugin_name_args *plugin_info, struct plugin_gcc_version *version)
{
	int i;

	PASS_INFO(kfi, INSERT_AFTER, 1, PASS_POS_INSERT_AFTER);
#ifdef RESERVE_BEFORE
	PASS_INFO(kfi_reserve, RESERVE_BEFORE, 1, PASS_POS_INSERT_BEFORE);
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
#ifdef RESERVE_BEFORE
	register_callback(plugin_info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL,
			  &kfi_reserve_pass_info);
#endif
	return 0;
}

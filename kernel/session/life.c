// SPDX-License-Identifier: GPL-2.0
/*
 * Remembers the modules of this boot, in a table of fixed size, by the notifier that tells of them.
 * When it is full the module that has been gone for longest is forgotten.
 */
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/string.h>

#include "arch/clock.h"
#include "kfi_compat.h"
#include "session/life.h"

static u64 kernel_init_over;

void kfi_life_kernel_init_over(void)
{
	kernel_init_over = kfi_now();
}

#ifdef CONFIG_MODULES

/* Protects what follows. */
static DEFINE_MUTEX(lives_mutex);
static struct kfi_life lives[KFI_LIVES_MAX];
static u32 nlives;

/* How many are not in the table, and until when one of them was there. */
static u32 forgotten;
static u64 forgotten_until;

static void forget(u64 until)
{
	forgotten++;
	forgotten_until = max(forgotten_until, until);
}

/* A place in order of loading, for one more; NULL: all are there. */
static struct kfi_life *new_life(void)
{
	u32 i, oldest = KFI_LIVES_MAX;

	if (nlives < KFI_LIVES_MAX)
		return &lives[nlives++];
	for (i = 0; i < KFI_LIVES_MAX; i++)
		if (lives[i].unloaded && (oldest == KFI_LIVES_MAX ||
					  lives[i].unloaded < lives[oldest].unloaded))
			oldest = i;
	if (oldest == KFI_LIVES_MAX) {
		forget(U64_MAX);
		return NULL;
	}
	forget(lives[oldest].unloaded);
	memmove(&lives[oldest], &lives[oldest + 1],
		(KFI_LIVES_MAX - 1 - oldest) * sizeof(*lives));
	return &lives[KFI_LIVES_MAX - 1];
}

/* The module of that text that is there now. */
static struct kfi_life *find(const struct module *mod)
{
	unsigned long size, text = kfi_module_text(mod, false, &size);
	u32 i;

	for (i = 0; i < nlives; i++)
		if (lives[i].text == text && !lives[i].unloaded &&
		    !strcmp(lives[i].name, mod->name))
			return &lives[i];
	return NULL;
}

static int module_lives(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *mod = data;
	struct kfi_life *l;
	u64 now = kfi_now();

	mutex_lock(&lives_mutex);
	l = state == MODULE_STATE_COMING ? new_life() : find(mod);
	if (!l)
		goto out;
	if (state == MODULE_STATE_COMING) {
		memset(l, 0, sizeof(*l));
		strscpy(l->name, mod->name, sizeof(l->name));
		l->text = kfi_module_text(mod, false, &l->text_size);
		l->init = kfi_module_text(mod, true, &l->init_size);
		l->loaded = now;
	} else {
		if (!l->init_over)
			l->init_over = now;
		if (state == MODULE_STATE_GOING)
			l->unloaded = now;
	}
out:
	mutex_unlock(&lives_mutex);
	return NOTIFY_OK;
}

static struct notifier_block lives_notifier = { .notifier_call = module_lives };

static int __init watch_lives(void)
{
	return register_module_notifier(&lives_notifier);
}
early_initcall(watch_lives);

static bool was_there(const struct kfi_life *l, u64 from, u64 to)
{
	return l->loaded <= to && (!l->unloaded || l->unloaded >= from);
}

int kfi_lives_get(struct kfi_lives *out, u64 from, u64 to)
{
	struct kfi_life *life = kvcalloc(KFI_LIVES_MAX, sizeof(*life), GFP_KERNEL);
	u32 i, n = 0;

	if (!life)
		return -ENOMEM;
	mutex_lock(&lives_mutex);
	for (i = 0; i < nlives; i++)
		if (was_there(&lives[i], from, to))
			life[n++] = lives[i];
	out->forgotten = forgotten_until >= from ? forgotten : 0;
	mutex_unlock(&lives_mutex);
	out->life = life;
	out->n = n;
	out->kernel_init_over = kernel_init_over;
	return 0;
}

void kfi_lives_peek(struct kfi_lives *out)
{
	*out = (struct kfi_lives) {
		.life = lives, .n = nlives, .forgotten = forgotten,
		.kernel_init_over = kernel_init_over
	};
}

#else

void kfi_lives_peek(struct kfi_lives *out)
{
	*out = (struct kfi_lives) { .kernel_init_over = kernel_init_over };
}

int kfi_lives_get(struct kfi_lives *out, u64 from, u64 to)
{
	*out = (struct kfi_lives) { .kernel_init_over = kernel_init_over };
	return 0;
}

#endif

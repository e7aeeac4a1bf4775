// SPDX-License-Identifier: GPL-2.0
/*
 * The cold half of the shadow stack. Pushing and popping are in kfi_call.h.
 */
#include "kfi_stack.h"

void kfi_stack_begin(struct kfi_stack *s, u32 stamp, u32 pid)
{
	memset(s->at, 0, sizeof(s->at));
	s->pid = pid;
	s->out_at = 0;
	s->watched = 0;
	local_set(&s->depth, 0);
	barrier();	/* an interrupt that sees the new stamp must see an empty stack */
	WRITE_ONCE(s->stamp, stamp);
}

u32 kfi_stack_find(const struct kfi_stack *s, unsigned long func, unsigned int ctx)
{
	u32 d = kfi_stack_frames(s);

	for (; d && KFI_AT_CTX(s->at[d - 1]) >= ctx; d--)
		if (s->frame[d - 1].func == func)
			return d;
	return 0;
}

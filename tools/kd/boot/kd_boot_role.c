// SPDX-License-Identifier: GPL-2.0
/*
 * Roles of kernel functions in a boot, by their names, and what the roles mean for the calls of
 * tasks. See kd_boot.h.
 */
#include "kd_boot.h"

static const struct {
	const char *name;	/* with "*" at its end: a prefix */
	enum boot_role role;
} roles[] = {
	{ "start_kernel", BOOT_IS_START },
	{ "rest_init", BOOT_IS_REST },
	{ "kernel_init", BOOT_IS_INIT },
	{ "to_userspace", BOOT_IS_END },
	{ "do_basic_setup", BOOT_IS_SETUP },
	{ "do_pre_smp_initcalls", BOOT_IS_EARLY },
	{ "smp_init", BOOT_IS_PHASE },
	{ "do_one_initcall", BOOT_IS_INITCALLS },
	{ "cpu_startup_entry", BOOT_IS_IDLE },
	{ "do_idle", BOOT_IS_IDLE },
	{ "cpu_idle*", BOOT_IS_IDLE },
	{ "default_idle", BOOT_IS_IDLE },
	{ "schedule", BOOT_IS_SLEEP },
	{ "schedule_timeout*", BOOT_IS_SLEEP },
	{ "schedule_hrtimeout*", BOOT_IS_SLEEP },
	{ "schedule_preempt_disabled", BOOT_IS_SLEEP },
	{ "__schedule*", BOOT_IS_SLEEP },
	{ "io_schedule*", BOOT_IS_SLEEP },
	{ "__cond_resched", BOOT_IS_SLEEP },
	{ "wait_for_common*", BOOT_IS_SLEEP },
	{ "__wait_for_common", BOOT_IS_SLEEP },
	{ "do_wait_for_common", BOOT_IS_SLEEP },
	{ "preempt_schedule*", BOOT_IS_SLEEP },
	{ "worker_thread", BOOT_IS_LOOP },
	{ "rescuer_thread", BOOT_IS_LOOP },
	{ "smpboot_thread_fn", BOOT_IS_LOOP },
	{ "irq_thread", BOOT_IS_LOOP },
	{ "irq_wait_for_interrupt", BOOT_IS_LOOP },
	{ "kthread_worker_fn", BOOT_IS_LOOP },
	{ "kthreadd", BOOT_IS_LOOP },
	{ "process_timeout", BOOT_IS_TIMER },
	{ "hrtimer_wakeup", BOOT_IS_TIMER },
	{ "delayed_work_timer_fn", BOOT_IS_TIMER },
	{ "call_timer_fn", BOOT_IS_TIMER },
	{ "__run_timer*", BOOT_IS_TIMER },
	{ "run_timer_*", BOOT_IS_TIMER },
	{ "__hrtimer_run_queues", BOOT_IS_TIMER },
	{ "wakeme_after_rcu", BOOT_IS_RCU },
	{ "rcu_do_batch", BOOT_IS_RCU },
	{ "rcu_core*", BOOT_IS_RCU },
	{ "srcu_invoke_callbacks", BOOT_IS_RCU },
	{ "try_to_wake_up", BOOT_IS_WAKE },
	{ "ttwu_*", BOOT_IS_WAKE },
	{ "wake_up*", BOOT_IS_WAKE },
	{ "__wake_up*", BOOT_IS_WAKE },
	{ "wake_q*", BOOT_IS_WAKE },
	{ "swake_up*", BOOT_IS_WAKE },
	{ "default_wake_function", BOOT_IS_WAKE },
	{ "autoremove_wake_function", BOOT_IS_WAKE },
	{ "complete", BOOT_IS_WAKE },
	{ "complete_*", BOOT_IS_WAKE },
	{ "async_run_entry_fn", BOOT_IS_ASYNC },
	{ "process_one_work", BOOT_IS_WORK },
	{ "deferred_probe_work_func", BOOT_IS_PROBE },
	{ "async_synchronize_full", BOOT_JOINS_ASYNC },
	{ "async_synchronize_*", BOOT_JOINS_SOME_ASYNC },
	{ "wait_for_device_probe", BOOT_JOINS_PROBE },
	{ "flush_work*", BOOT_JOINS_SOME_WORK },
	{ "__flush_work*", BOOT_JOINS_SOME_WORK },
	{ "flush_delayed_work", BOOT_JOINS_SOME_WORK },
	{ "drain_workqueue", BOOT_JOINS_SOME_WORK },
	{ "cancel_work_sync", BOOT_JOINS_SOME_WORK },
	{ "cancel_delayed_work_sync", BOOT_JOINS_SOME_WORK },
	{ "__cancel_work_*", BOOT_JOINS_SOME_WORK },
};

/* Ignore what the compiler added, as in "schedule_timeout.part.0". */
enum boot_role boot_role_of(struct kfi_str name)
{
	const char *dot = memchr(name.s, '.', name.len);
	size_t len = dot ? (size_t)(dot - name.s) : name.len;

	for (size_t i = 0; i < ARRAY_SIZE(roles); i++) {
		size_t n = strlen(roles[i].name);
		bool begins = roles[i].name[n - 1] == '*';

		n -= begins;
		if ((begins ? len >= n : len == n) && !memcmp(name.s, roles[i].name, n))
			return roles[i].role;
	}
	return BOOT_ANY;
}

int boot_role(struct kd_boot *b, u32 func)
{
	if (likely(func < b->func.n))
		return b->func.at[func].role;
	if (kfi_grow((void **)&b->func.at, &b->func.room, func + 1, sizeof(*b->func.at)))
		return -ENOMEM;
	for (; b->func.n <= func; b->func.n++)
		b->func.at[b->func.n] = (struct boot_func){
			.role = boot_role_of(b->kd->in.names.str[b->func.n]),
		};
	return b->func.at[func].role;
}

u32 boot_waits_in(struct kd_boot *b, u32 call)
{
	u32 up = call;

	while (up != KFI_NONE && boot_role(b, b->call.at[up].func) == BOOT_IS_SLEEP)
		up = b->call.at[up].parent;
	return up == KFI_NONE ? call : up;
}

u32 boot_initcall_of(struct kd_boot *b, u32 call)
{
	const struct boot_call *c = b->call.at;

	for (u32 up; call != KFI_NONE; call = up) {
		up = c[call].parent;
		if (up != KFI_NONE && boot_role(b, c[up].func) == BOOT_IS_INITCALLS)
			return call;
	}
	return KFI_NONE;
}

bool boot_waited_for_work(struct kd_boot *b, u32 out)
{
	const struct boot_event *e = &b->event.at[out];
	u32 call = boot_waits_in(b, boot_around(b, e->call, e->at, 0));

	return call != KFI_NONE && boot_role(b, b->call.at[call].func) == BOOT_IS_LOOP;
}

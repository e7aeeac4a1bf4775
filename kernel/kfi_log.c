// SPDX-License-Identifier: GPL-2.0
/*
 * Runs that are commanded: the cold side, in process context. They are made in kfi_make.c and
 * collected in kfi_collect.c.
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/workqueue.h>

#include "kfi_collect.h"
#include "kfi_log.h"
#include "kfi_snap.h"
#include "kfi_task.h"
#include "kfi_tell.h"

/* Protects the current log, its state changes by command, and collecting it. */
static DEFINE_MUTEX(log_mutex);
static struct kfi_log *current_log;
static u32 last_id;

static int __init rate_known(void)
{
	if (kfi_clock_update() && current_log)
		kfi_log_set_times(current_log, false);
	return 0;
}
early_initcall(rate_known);
late_initcall_sync(rate_known);

void kfi_log_set_current(struct kfi_log *log)
{
	current_log = log;
	if (log)
		log->run.id = ++last_id;
	kfi_task_set_run(log ? &log->run : NULL);
}

void kfi_log_publish(struct kfi_log *log)
{
	/* Pairs with READ_ONCE in the callouts: an address dependency. */
	smp_store_release(&kfi_live, &log->run);
}

/* Publish a run when there are processes that may have to be told. */
static void go_live(struct kfi_log *log)
{
	kfi_log_publish(log);
	kfi_tell_wanted(&log->run);
}

static void pass(struct work_struct *work)
{
}

/*
 * Take the run away from the callouts. They run with preemption off, so when every cpu has run a
 * work item, none is left that saw it; RCU does not watch all the places where callouts run.
 */
int kfi_log_unpublish(void)
{
	if (!kfi_live)
		return 0;
	WRITE_ONCE(kfi_live, NULL);
	kfi_tell_wanted(NULL);
	return schedule_on_each_cpu(pass);
}

static bool is_running(struct kfi_log *log)
{
	int state = log ? atomic_read(&log->run.state) : KFI_IDLE;

	return state == KFI_STARTING || state == KFI_TRIGGERED || state == KFI_STOPPING;
}

static struct kfi_log *get_locked(void)
{
	struct kfi_log *log = current_log;
	int ret = 0;

	/* Pairs with the release in kfi_run_stop(). */
	if (log && atomic_read_acquire(&log->run.state) == KFI_COMPLETE)
		ret = kfi_collect(log);
	if (ret)
		return ERR_PTR(ret);
	if (log && !log->collected)
		log->hz = kfi_clock.hz;
	if (log)
		kref_get(&log->ref);
	return log;
}

struct kfi_log *kfi_log_get(void)
{
	struct kfi_log *log;

	mutex_lock(&log_mutex);
	log = get_locked();
	mutex_unlock(&log_mutex);
	return log;
}

struct kfi_log *kfi_log_get_rows(void)
{
	struct kfi_log *log = ERR_PTR(-ESTALE);
	int ret;

	mutex_lock(&log_mutex);
	while (log == ERR_PTR(-ESTALE))
		log = is_running(current_log) ? kfi_snap_take(current_log) : get_locked();
	kfi_clock_update();
	mutex_unlock(&log_mutex);
	if (IS_ERR_OR_NULL(log) || !log->of)
		return log;
	ret = kfi_collect_rows(log);
	if (!ret)
		return log;
	kfi_log_put(log);
	return ERR_PTR(ret);
}

void kfi_log_put(struct kfi_log *log)
{
	if (log)
		kref_put(&log->ref, kfi_log_release);
}

/* ---- commands ---- */

int kfi_log_refuse(struct kfi_conf_err *err, int ret, const char *reason)
{
	err->line = 1;
	err->col = 1;
	strscpy(err->reason, reason, sizeof(err->reason));
	return ret;
}

/* Take the current run away for a new one, or leave all as it is. */
static int retire(struct kfi_log *log)
{
	bool was_primed;
	int ret;

	if (!log)
		return 0;
	/* It must not start once the callouts begin to miss it. */
	was_primed = atomic_cmpxchg(&log->run.state, KFI_PRIMED, KFI_IDLE) == KFI_PRIMED;
	if (is_running(log))
		return -EBUSY;
	ret = kfi_log_unpublish();
	if (!ret || !was_primed)
		return ret;
	atomic_set(&log->run.state, KFI_PRIMED);
	go_live(log);
	return ret;
}

/* Make a run of a text, in place of the current one. @text may be the current run's own. */
static int install(const char *text, size_t len, unsigned int flags, struct kfi_conf_err *err)
{
	struct kfi_log *log;
	int ret;

	if (is_running(current_log))
		return kfi_log_refuse(err, -EBUSY, "a run is being recorded: stop it first");
	log = kfi_log_create(text, len, flags, err);
	if (IS_ERR(log))
		return PTR_ERR(log);
	ret = retire(current_log);
	if (ret) {
		kfi_log_put(log);
		return kfi_log_refuse(err, ret, ret == -EBUSY ?
				      "a run has just started: stop it first" :
				      "no memory to end the run before");
	}
	swap(current_log, log);
	kfi_log_set_current(current_log);
	kfi_log_put(log);
	pr_info("kfi: new run installed\n");
	return 0;
}

/* A complete run is primed again as a new one with the same configuration. */
static int command_prime(struct kfi_conf_err *err)
{
	struct kfi_log *log = current_log;
	int ret;

	if (!log)
		return kfi_log_refuse(err, -EINVAL, "there is no run: write new begin ... end first");
	if (atomic_read(&log->run.state) == KFI_COMPLETE) {
		ret = install(log->text, log->len, log->flags, err);
		if (ret)
			return ret;
		log = current_log;
	}
	if (atomic_cmpxchg(&log->run.state, KFI_IDLE, KFI_PRIMED) != KFI_IDLE)
		return kfi_log_refuse(err, -EBUSY, is_running(log) ? "the run is started already" :
			      "the run is primed already");
	log->primed = true;
	go_live(log);
	return 0;
}

static int command_start(struct kfi_log *log, struct kfi_conf_err *err)
{
	if (!log)
		return kfi_log_refuse(err, -EINVAL, "there is no run: write new begin ... end first");
	if (atomic_read(&log->run.state) == KFI_IDLE)
		go_live(log);
	if (kfi_run_start(&log->run, KFI_BY_USER, 0))
		return 0;
	return kfi_log_refuse(err, -EBUSY, atomic_read(&log->run.state) == KFI_COMPLETE ?
		      "the run is complete: prime it again, or write a new one" : "the run is started already");
}

static int command_stop(struct kfi_log *log, struct kfi_conf_err *err)
{
	if (!log)
		return kfi_log_refuse(err, -EINVAL, "there is no run: write new begin ... end first");
	if (kfi_run_stop(&log->run, KFI_BY_USER, 0))
		return 0;
	/* It may wait for its trigger, or not even that: then it is over without a start. */
	if (atomic_cmpxchg(&log->run.state, KFI_PRIMED, KFI_COMPLETE) == KFI_PRIMED ||
	    atomic_cmpxchg(&log->run.state, KFI_IDLE, KFI_COMPLETE) == KFI_IDLE) {
		log->run.stop.cause = KFI_BY_USER;
		return 0;
	}
	return kfi_log_refuse(err, -EBUSY, "the run is complete already");
}

static int command_mark(const struct kfi_conf_text *mark, struct kfi_conf_err *err)
{
	BUILD_BUG_ON(KFI_CONF_MARK_MAX > KFI_EVENT_TEXT_MAX);
	if (kfi_tell_text(mark->s, mark->len))
		return 0;
	return kfi_log_refuse(err, -EBUSY, "no log is being recorded that a mark could be put into");
}

int kfi_log_write(const char *text, size_t len, struct kfi_conf_err *err)
{
	struct kfi_conf_text mark;
	int cmd = kfi_conf_command(text, len, &mark, err), ret;

	if (cmd < 0)
		return cmd;
	mutex_lock(&log_mutex);
	if (kfi_clock_update() && current_log)
		kfi_log_set_times(current_log, false);
	switch (cmd) {
	case KFI_CMD_NEW:
		ret = install(text, len, KFI_CONF_PROC, err);
		break;
	case KFI_CMD_PRIME:
		ret = command_prime(err);
		break;
	case KFI_CMD_START:
		ret = command_start(current_log, err);
		break;
	case KFI_CMD_MARK:
		ret = command_mark(&mark, err);
		break;
	default:
		ret = command_stop(current_log, err);
		break;
	}
	mutex_unlock(&log_mutex);
	return ret;
}

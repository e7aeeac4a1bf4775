// SPDX-License-Identifier: GPL-2.0
/*
 * kfi_probe - a driver whose probe takes as long as the command line says
 *
 *	kfi_probe=HOW,WHAT,MS,THEN
 *		HOW	sync or async: how the driver is probed
 *		WHAT	sleep or burn
 *		MS	milliseconds that kfi_probe_slow() takes, in the probe
 *		THEN	milliseconds of the same that task 1 takes itself behind that
 *
 * Without it nothing happens. After that task 1 waits for asynchronous probes. It does not have to
 * wait if THEN is more than MS. All of this comes behind all other initcalls, and behind the
 * unpacking of the initial RAM disk, for which it would wait otherwise. Used by
 * tests/bench/boot.
 */
#include <linux/async.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/initrd.h>
#include <linux/ktime.h>
#include <linux/platform_device.h>
#include <linux/string.h>

static char how[8], what[8];
static unsigned int ms, then;

/* By the high resolution timer: msleep() is as exact as a tick is long. */
static void take(unsigned int msecs)
{
	u64 end = ktime_get_ns() + (u64)msecs * NSEC_PER_MSEC;

	if (!msecs)
		return;
	if (!strcmp(what, "sleep"))
		usleep_range(msecs * USEC_PER_MSEC, msecs * USEC_PER_MSEC);
	else
		while (ktime_get_ns() < end)
			cpu_relax();
}

static noinline void kfi_probe_slow(void)
{
	take(ms);
	barrier();
}

static noinline void kfi_probe_then(void)
{
	take(then);
	barrier();
}

static int kfi_probe_one(struct platform_device *pdev)
{
	kfi_probe_slow();
	return 0;
}

static struct platform_driver kfi_probe_driver = {
	.probe = kfi_probe_one,
	.driver = { .name = "kfi_probe" },
};

static int __init kfi_probe_param(char *arg)
{
	return arg && sscanf(arg, "%7[^,],%7[^,],%u,%u", how, what, &ms, &then) == 4 ? 0 : -EINVAL;
}
early_param("kfi_probe", kfi_probe_param);

/* What comes before kfi_probe_init() takes as long with any parameters. */
static int __init kfi_probe_wait(void)
{
	if (*how)
		wait_for_initramfs();
	return 0;
}
late_initcall_sync(kfi_probe_wait);

static int __init kfi_probe_init(void)
{
	struct platform_device *pdev;
	int ret;

	if (!*how)
		return 0;
	if (!strcmp(how, "async"))
		kfi_probe_driver.driver.probe_type = PROBE_PREFER_ASYNCHRONOUS;
	pdev = platform_device_register_simple("kfi_probe", PLATFORM_DEVID_NONE, NULL, 0);
	ret = PTR_ERR_OR_ZERO(pdev) ?: platform_driver_register(&kfi_probe_driver);
	kfi_probe_then();
	async_synchronize_full();
	return ret;
}
late_initcall_sync(kfi_probe_init);

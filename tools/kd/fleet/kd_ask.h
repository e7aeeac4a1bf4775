/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Questions to the records of a fleet. Only boots that are complete are looked at: the others have
 * no total.
 *
 * A series is a number of each boot: its total, a phase, or a function. A boot that does not have
 * the function counts as 0, as in kd --diff. Builds are in order of their first boot.
 */
#ifndef KFI_KD_ASK_H
#define KFI_KD_ASK_H

#include "kd.h"
#include "kd_store.h"

/**
 * struct fleet_boot - a boot
 * @id: its row
 * @build: number of its build
 * @board: number of its board
 * @total: how long it took, nanoseconds
 */
struct fleet_boot {
	s64 id;
	u32 build;
	u32 board;
	double total;
};

/**
 * struct fleet_build - a build
 * @first: its first boot, of @boot in struct fleet
 * @boots: how many
 * @time: when the first one was
 */
struct fleet_build {
	u32 first;
	u32 boots;
	s64 time;
};

/**
 * struct fleet - what is asked, and of whom
 * @kd: the options
 * @store: the records
 * @boot: boots, by build
 * @boots: how many
 * @builds: names of builds, in order of time
 * @build: builds
 * @build_room: for how many there is room
 * @boards: names of boards
 * @of: row of a boot to its number
 * @value: of the series that was read last, by boot
 * @sorted: room for a number of each boot, as the next ones
 * @more: room
 * @rank: room
 * @order: room
 * @median: by build: of the series that was read last
 * @least: nanoseconds: differences of less do not count
 */
struct fleet {
	struct kd *kd;
	struct store *store;
	struct fleet_boot *boot;
	u32 boots;
	struct kfi_names builds;
	struct fleet_build *build;
	u32 build_room;
	struct kfi_names boards;
	struct kfi_map of;
	double *value;
	double *sorted;
	double *more;
	double *rank;
	u32 *order;
	double *median;
	double least;
};

/**
 * fleet_check_question() - whether there is such a question
 * @name: of --ask, NULL: the usual one
 * @err: why not
 *
 * Return: 0 or -EINVAL.
 */
int fleet_check_question(const char *name, struct kfi_err *err);

/**
 * fleet_ask() - answer the question of --ask
 * @kd: the options
 * @s: the records
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int fleet_ask(struct kd *kd, struct store *s, struct kfi_err *err);

#endif /* KFI_KD_ASK_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* The version that all tools print; the historic kd was 1.1. */
#ifndef KFI_VERSION_H
#define KFI_VERSION_H

#define KFI_VERSION	"2.0"

#endif /* KFI_VERSION_H */

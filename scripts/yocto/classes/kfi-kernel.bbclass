# SPDX-License-Identifier: GPL-2.0
#
# Puts KFI into a kernel. For the kernel of a distribution, in local.conf:
#
#	KERNEL_CLASSES:append = " kfi-kernel"
#
# or, for the kernel of one recipe, "inherit kfi-kernel" in its .bbappend. KFI_TOP is the folder of KFI;
# the layer sets it. See Documentation/build-systems.rst.

KFI_FRAGMENT ?= "${KFI_TOP}/configs/product.config"

# Behind the patches of the recipe: hooks that they have placed stay where they are.
do_kfi_prepare[dirs] = "${S}"
do_kfi_prepare() {
	${KFI_TOP}/scripts/prepare-tree --copy - ${S}
}
addtask kfi_prepare after do_patch before do_kernel_configme do_configure

do_configure:append() {
	${S}/scripts/kconfig/merge_config.sh -m -O ${B} ${B}/.config ${KFI_FRAGMENT}
	oe_runmake -C ${S} O=${B} olddefconfig
	${KFI_TOP}/scripts/prepare-tree --check ${B}
}

# Prepare and configure again if KFI has changed.
do_kfi_prepare[file-checksums] += "\
	${KFI_TOP}/kernel:True \
	${KFI_TOP}/kernel-patch:True \
	${KFI_TOP}/scripts/check-hooks:True \
	${KFI_TOP}/scripts/prepare-tree:True \
	${KFI_TOP}/tools/lib/kfi_port_host.h:True \
	"
do_configure[file-checksums] += "${KFI_FRAGMENT}:True"

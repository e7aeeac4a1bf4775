# SPDX-License-Identifier: GPL-2.0
#
# Puts KFI into the kernel of Buildroot, behind its other patches, and checks the configuration. The
# folder is an external tree (BR2_EXTERNAL): Documentation/build-systems.rst.

ifeq ($(BR2_LINUX_KERNEL_KFI),y)

define KFI_PREPARE_LINUX
	$(BR2_EXTERNAL_KFI_PATH)/../prepare-tree --copy - $(@D)
endef
LINUX_POST_PATCH_HOOKS += KFI_PREPARE_LINUX

define KFI_CHECK_LINUX
	$(BR2_EXTERNAL_KFI_PATH)/../prepare-tree --check $(@D)
endef
LINUX_POST_CONFIGURE_HOOKS += KFI_CHECK_LINUX

endif

# SPDX-License-Identifier: GPL-2.0
#
# The front door. `make help` says what there is.
#
# Host programs go to build/; kernel trees, images and results below $KFI_WORK (default ~/.cache/kfi).
ifneq ($(words [$(CURDIR)])$(findstring ',$(CURDIR)),1)
$(error make takes no folder whose name has a blank or a quote: move KFI out of $(CURDIR))
endif
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
NAME ?= exynos-6.12
KVER ?= 6.12
SECONDS ?= 600
export KFI_WORK KERNELS SHARD

all: tools

help:
	@echo 'make                     the tools addr2sym, sym2addr, kd, kfi-check-conf and kfi-capture, and the'
	@echo '                         plugin kfi-qemu.so for QEMU, in build/'
	@echo 'make demo [NAME=...]     a kernel boot traced end to end, in QEMU'
	@echo 'make check               quick tests: source rules, host, fuzz replay, command line, pages'
	@echo 'make test                all tests: check, then kernels are built and booted; chosen by'
	@echo '                         KERNELS="NAME..." or SHARD=I/N, the I-th of N parts'
	@echo 'make matrix              every kernel of configs/matrix that has KFI, built and booted; then whole'
	@echo '                         configurations, built: hours'
	@echo 'make stress [SECONDS=600] debug kernels, and everything at once on each of four for so long'
	@echo 'make mutants [MUTANTS=...] break the recorder on purpose: do the tests find it?'
	@echo 'make fleet               kfi-fleet against two servers of ClickHouse'
	@echo 'make bisect              take the protection from one object: does kfi-bisect find it?'
	@echo 'make bench               overhead of kernels, built and booted, compared with targets; the tools'
	@echo 'make bench-tools         the part of it that is of addr2sym and kd [MILLIONS="1 10 50" of calls]'
	@echo 'make bench-boot [PART=without|net] kd --boot compared with boots that were not recorded'
	@echo 'make pictures            the pictures of the pages, from the log of tests/data/demo (needs Chromium)'
	@echo 'make kernel [NAME=...]   build a kernel of configs/matrix:'
	@scripts/build-kernel --list | sed 's/^/                           /'
	@echo 'make guest [NAME=...]    boot it to a shell (needs make kernel; Ctrl-A x ends QEMU)'
	@echo 'make patch KVER=6.12     KFI as one patch for a vanilla tree: kfi-6.12.patch'
	@echo 'make install             tools, pages, completion and sources below PREFIX=$(PREFIX)'
	@echo 'make uninstall           takes them away again'
	@echo 'make deb                 a Debian package of that, in build/deb'
	@echo 'make clean               remove build/ (kernels: remove $$KFI_WORK)'

tools:
	@$(MAKE) -C tools all

install: tools
	@$(MAKE) -C tools completion
	@if command -v rst2man >/dev/null; then $(MAKE) -C tools man; fi
	@scripts/install-kfi '$(DESTDIR)' '$(PREFIX)'

uninstall:
	@scripts/install-kfi --remove '$(DESTDIR)' '$(PREFIX)'

deb:
	@scripts/install-deps tools man deb
	@scripts/make-deb

demo:
	@scripts/demo $(NAME)

kernel:
	@scripts/install-deps kernel plugin-arm plugin-arm64 plugin-riscv64 plugin arm arm64 riscv64 x86
	@scripts/build-kernel --static kernel/kfistatic.conf $(NAME)

patch:
	@scripts/install-deps source-$(KVER)
	@scripts/make-patch $(KVER)

guest:
	@scripts/guest-shell $(NAME)

check:
	@scripts/install-deps tools tests-quick
	@tests/run-suites check

test:
	@scripts/install-deps
	@tests/run-suites check boot

matrix:
	@scripts/install-deps
	@scripts/install-deps debian-config
	@$(MAKE) fleet
	@status=0; tests/boot/run --matrix || status=$$?; tests/boot/configs || status=$$?; exit $$status

stress:
	@scripts/install-deps tools kernel x86 guests
	@tests/boot/run --stress $(SECONDS)

mutants:
	@scripts/install-deps tools tests-quick kernel plugin x86 guests
	@tests/mutants $(MUTANTS)

fleet: tools
	@scripts/install-deps tools fleet
	@tests/fleet/clickhouse build

bisect:
	@scripts/install-deps kernel
	@tests/boot/bisect

bench:
	@scripts/install-deps tools kernel plugin plugin-arm plugin-arm64 arm arm64 x86 guests
	@tests/bench/run $(BENCH)
	@tests/bench/serial
	@$(MAKE) bench-tools

bench-boot:
	@scripts/install-deps tools kernel plugin plugin-arm plugin-arm64 arm arm64 x86 guests
	@tests/bench/boot $(PART)

bench-tools: tools
	@tests/bench/tools.sh build $(MILLIONS)

pictures: tools
	@scripts/install-deps browser
	@build/addr2sym -m tests/data/demo/System.map tests/data/demo/kfi.log >build/picture.lst
	@build/kd --html build/picture.html build/picture.lst 2>/dev/null
	@tests/cli/browser --size 1200,720 --shot Documentation/pictures/page.png build/picture.html
	@tests/cli/browser --size 1100,620 --dark --shot Documentation/pictures/flame.png \
		--do "document.getElementById('tab-flame').click()" build/picture.html
	@build/kd --html build/picture.html --map tests/data/tutorial/System.map \
		tests/data/tutorial/before.log.gz tests/data/tutorial/after.log.gz 2>/dev/null
	@tests/cli/browser --size 1200,720 --shot Documentation/pictures/tutorial.png build/picture.html
	@rm -f build/picture.db
	@awk -f tests/fleet/simulate -v change=20 -v bad=1 | \
		build/kd --fleet build/picture.db --html build/picture.html - 2>/dev/null
	@tests/cli/browser --size 1200,720 --shot Documentation/pictures/fleet.png \
		--do "document.querySelector('#changes td button').click()" build/picture.html

clean:
	@rm -rf build

.PHONY: all help tools install uninstall deb demo kernel patch guest check test matrix stress \
	mutants fleet bisect bench bench-tools bench-boot pictures clean

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
#   make                 builds build/assay; WERROR=1 turns warnings into errors
#   make conformance     installs what the program needs, builds it, runs the suite and writes build/report/
#                        LEVEL=smoke|standard|exhaustive  BACKEND=vulkan|cpu|…  VALIDATE=1
#   make check           installs what the program and the tests need, builds them and runs the tests
#   make check-all       runs what takes longer: slow tests, mutations, mutants, failed allocations, sanitizers and fuzzers (SANITIZE=0
#                        leaves out the last two)
#   make check-allocations   lets allocations fail at POINTS=3000 places of a run: no record may be wrong, no run green
#   make check-portable      compares the digest on aarch64 (under qemu) with this machine's; compiles all sources for macOS and musl
#   make check-trials    runs the tests of faults that once passed, one line each; ALL=1: allocations and fuzzers too
#   make promised        prints the detection table: the mutants that the suite detects and the legal variants that it accepts
#   make format          formats all C sources by .clang-format (clang-format 14); make check fails on differences
#   make debug           builds build/debug/assay without optimization
#   make compile_commands.json   writes the compiler's command of every source, for editors
#   make docs            writes the pages of docs/reference that the program prints
#   make bench           measures assay's own costs
#   make install         PREFIX=/usr/local DESTDIR=; make uninstall with the same removes it again
#   make wheel           writes build/dist/assay-VERSION-….whl, which pip installs on machines without a compiler
#   make deps            installs what conformance and check need (apt; elsewhere it prints the package names)
#   make adapters        installs what adapters, JUnit files and recipes are tested with from PyPI into build/adapters
#   make conformance-swiftshader   runs the suite on a second Vulkan driver, from Debian's chromium-common
#   make fuzz            runs the readers of foreign data under libFuzzer, FUZZ_SECONDS=60 each
#   make clean

VERSION  := 0.1.0
LEVEL    ?= standard
BACKEND  ?= vulkan
PREFIX   ?= /usr/local
BUILD    ?= build
CFLAGS   ?= -O2 -g
SANITIZE ?= 1
ifeq ($(origin CC),default)
CC := gcc
endif
JOBS := $(shell nproc 2>/dev/null || echo 2)
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(JOBS)
endif
MAKEFLAGS += --no-builtin-rules
# Commands are shown by a word and the file they make; V=1 shows them whole.
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $@ &&) 
# One word of a shell, whatever is in it.
shell_word = '$(subst ','\'',$(1))'
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:

# --- sources: every .c of a room but its tests; a new operator stem is found here, no list to edit. Tests stand in a
# folder test/ of what they test.
files_in  = $(shell find $(1) -type f $(foreach name,$(2),-name '$(name)') ! -path '*/test/*' | LC_ALL=C sort)
tests_in  = $(shell find $(1) -type f -path '*/test/*.c' ! -path '*/test/*/*' | LC_ALL=C sort)
SHADERS      := $(wildcard kernels/vulkan/ops/*.comp)
KERNEL_SRC   := $(wildcard kernels/vulkan/*.c kernels/vulkan/plans/*.c kernels/vulkan/ops/*.c kernels/cpu/*.c kernels/cpu/ops/*.c kernels/shapes/*.c)
ROOM_SRC     := $(filter-out harness/adapters/%,$(call files_in,reference suites harness reports,*.c))
MAIN         := harness/cli/main.c
O            := $(BUILD)/obj
SHA256       := $(if $(shell command -v sha256sum 2>/dev/null),sha256sum,shasum -a 256)
K            ?= $(BUILD)/kernels
# Where kernels/ is that the kernels are compiled from: a folder and a slash, given to make, or nothing. Lists of files are those
# of this tree.
S            :=

PKGS       := vulkan mpfr gmp libxml-2.0 jansson libxxhash libzip
WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(filter 1,$(WERROR)),-Werror)
# Failed allocations of every source are counted; not of the programs that link none of the rooms.
COUNTED    := -include reference/base/memory_counted.h
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
BASE_FLAGS  = -std=c17 -D_GNU_SOURCE -ffp-contract=off $(WARNINGS) -I. $(COUNTED) $(PKG_CFLAGS) $(CFLAGS) $(EXTRA_FLAGS) $(FILE_FLAGS)
# Of Vulkan only the headers: kernels/vulkan/loader.c loads the library.
LIBS       := $(shell pkg-config --libs $(filter-out vulkan,$(PKGS)) 2>/dev/null) -lmpfi -lmpfr -lgmp -lm

# The compiler and the flags of every file, a prerequisite of every object. The file is written only if they change. -Werror is left
# out of it, because it changes no object. FILE_FLAGS belong to single files: their lines of this Makefile are in it.
COMPILER    := $(O)/gen/compiler.txt
COMPILED_BY := $(strip $(shell { $(CC) --version | head -1; $(CC) -dumpmachine; grep 'FILE_FLAGS :=' Makefile; } 2>/dev/null) \
    $(filter-out -Werror,$(BASE_FLAGS)))
ifneq ($(strip $(shell cat $(COMPILER) 2>/dev/null)),$(COMPILED_BY))
$(COMPILER): FORCE
endif
$(COMPILER):
	@mkdir -p $(@D)
	@printf '%s\n' $(call shell_word,$(COMPILED_BY)) > $@

ROOM_OBJ   := $(ROOM_SRC:%.c=$(O)/%.o) $(O)/gen/registry.o $(O)/gen/truth_keys.o $(O)/gen/verdict_key.o $(O)/gen/page.o
SHADER_OBJ := $(SHADERS:kernels/vulkan/ops/%.comp=$(K)/obj/shaders/%.o)
KERNEL_OBJ := $(KERNEL_SRC:%.c=$(K)/obj/%.o) $(SHADER_OBJ) $(K)/obj/registry.o
LIB_OBJ    := $(filter-out $(O)/$(MAIN:.c=.o),$(ROOM_OBJ)) $(KERNEL_OBJ)

.PHONY: build docs conformance conformance-swiftshader adapters check check-all check-quick check-slow check-sanitize check-allocations \
        check-portable check-trials mutations mutants promised fuzz bench install uninstall wheel deps format debug clean FORCE
build: $(BUILD)/assay

# A mutant or variant of the kernels links the same rooms with kernels built into K= from the patched sources in S=
# (kernels/test/mutants/run.sh).
$(BUILD)/assay: $(ROOM_OBJ) $(KERNEL_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CFLAGS) $(EXTRA_FLAGS) -o $@ $^ $(LIBS)
$(K)/assay: $(ROOM_OBJ) $(KERNEL_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CFLAGS) $(EXTRA_FLAGS) -o $@ $^ $(LIBS)

$(O)/%.o: %.c $(COMPILER)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<
$(K)/obj/%.o: $(S)%.c $(COMPILER)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(S:%=-I%) $(BASE_FLAGS) -MMD -MP -c -o $@ $<

# --- generated: registries from the files that are there, the page of reports/, shaders as words, version
$(O)/gen/registry.c: Makefile $(shell find reference/ops suites -type d ! -name test) $(filter reference/ops/% suites/%,$(ROOM_SRC)) harness/backends
	@mkdir -p $(@D)
	@sh harness/registry.sh rooms > $@
$(O)/gen/registry.o: $(O)/gen/registry.c $(COMPILER)
	$(call say,CC)$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<
$(O)/gen/page.c: $(wildcard reports/page/*)
	@mkdir -p $(@D)
	@sh reports/page/embed.sh reports/page > $@
$(O)/gen/page.o: $(O)/gen/page.c $(COMPILER)
	$(call say,CC)$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<
$(K)/obj/registry.c: Makefile $(wildcard kernels/vulkan/ops kernels/cpu/ops)
	@mkdir -p $(@D)
	@sh harness/registry.sh kernels > $@
$(K)/obj/registry.o: $(K)/obj/registry.c $(COMPILER)
	$(call say,CC)$(CC) $(S:%=-I%) $(BASE_FLAGS) -MMD -MP -c -o $@ $<

$(K)/spv/%.stamp: $(S)kernels/vulkan/ops/%.comp $(S)kernels/vulkan/compile.sh $(wildcard $(S)kernels/vulkan/lib/*.glsl $(S)kernels/vulkan/lib/*.inc)
	@mkdir -p $(@D)
	$(call say,SHADER)sh $(S)kernels/vulkan/compile.sh $< $(@D)
	@touch $@
$(SHADER_OBJ:.o=.c): $(K)/obj/shaders/%.c: $(K)/spv/%.stamp kernels/vulkan/embed.sh
	@mkdir -p $(@D)
	@sh kernels/vulkan/embed.sh $(K)/spv $* > $@
$(SHADER_OBJ): $(K)/obj/shaders/%.o: $(K)/obj/shaders/%.c $(COMPILER)
	$(call say,CC)$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<

# What computes each operator's truth, for the keys of those that are kept on disk. The compiler is a part of it: another one may
# round a truth otherwise.
REFERENCE_OBJ := $(patsubst %.c,$(O)/%.o,$(filter reference/%,$(ROOM_SRC)))
$(O)/gen/truth_keys.c: harness/cache/truth_keys.sh $(COMPILER) $(REFERENCE_OBJ) $(shell find reference -type f ! -path '*/test/*' ! -name '*.md')
	@mkdir -p $(@D)
	@sh harness/cache/truth_keys.sh $(O) $(COMPILER) > $@
$(O)/gen/truth_keys.o: $(O)/gen/truth_keys.c $(COMPILER)
	$(call say,CC)$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<

# What judges: every source of the rooms, and what makes a program of them; for the key of verdicts that are kept on disk.
JUDGE_SRC := $(shell find reference harness suites reports -type f \( -name '*.[ch]' -o -name '*.inc' -o -name '*.def' \) \
    ! -path '*/test/*' ! -path 'harness/adapters/*' | LC_ALL=C sort)
$(O)/gen/verdict_key.c: Makefile $(COMPILER) $(JUDGE_SRC) $(O)/gen/registry.c
	@mkdir -p $(@D)
	@cat $^ | $(SHA256) | \
	    sed 's|^\([0-9a-f]\{32\}\).*|/* Generated by the Makefile. */\nextern const char verdict_key[];\nconst char verdict_key[] = "\1";|' > $@
$(O)/gen/verdict_key.o: $(O)/gen/verdict_key.c $(COMPILER)
	$(call say,CC)$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<

# Only version.o is rebuilt when the commit changes. git refuses a tree that another user owns ("dubious ownership"), because it
# would run what that tree's configuration names; whoever types make here runs this Makefile, which stands in the same tree.
GIT := git --no-optional-locks -c safe.directory='*'
COMMIT := $(shell $(GIT) describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
ifeq ($(COMMIT)$(MAKELEVEL),unknown0)
ifneq ($(wildcard .git),)
$(warning records and reports will name no commit of assay ("unknown"), because git does not give it: $(shell \
    $(GIT) describe --always 2>&1 | head -2))
endif
endif
ifneq ($(strip $(shell cat $(BUILD)/version.stamp 2>/dev/null)),$(VERSION) $(COMMIT))
$(BUILD)/version.stamp: FORCE
endif
$(BUILD)/version.stamp:
	@mkdir -p $(@D)
	@echo '$(VERSION) $(COMMIT)' > $@
# The object of a source by its name alone, wherever it stands in reference/ or harness/.
object_of = $(or $(filter %/$(1).o,$(filter $(O)/reference/% $(O)/harness/%,$(ROOM_OBJ))),$(error There is no $(1).c in reference/ or harness/))
# Loops over rows of numbers, which gcc turns into vectors from here on only: to the same bits, for no sum is one of them.
$(foreach name,determinant_envelope determinant_verified determinant_verified_bounds double_lu \
    matrix_exp_envelope matrix_exp_pade winograd_tile,$(call object_of,$(name))): FILE_FLAGS := -O3
# Nobody asks for the exceptions that a division or a comparison would raise: without them choices become vectors, too.
$(foreach name,elementwise_formula elementwise_limits expression_single_operation expression_double_intervals expression_bound expression_functions expression_intervals expression_limits \
    expression_reductions expression_derivatives expression_adjoint expression_values expression_weights op_limits refine tensor value_batch,$(call object_of,$(name))) \
    $(foreach name,bounded bounded_loops by_input ends quantile traversal,$(call object_of,$(name))): \
    FILE_FLAGS := -O3 -fno-trapping-math -fno-math-errno
$(O)/harness/host/version.o: FILE_FLAGS := -DASSAY_VERSION='"$(VERSION)"' -DASSAY_COMMIT='"$(COMMIT)"'
$(O)/harness/host/version.o: $(BUILD)/version.stamp
FORCE:

# --- what people type. Set-up first, then make again: it must ask pkg-config anew for what has just been installed
deps:
	@CC='$(CC)' sh .ci/deps program device layer check

BASELINE ?= $(wildcard suites/baseline.json)
conformance:
	@CC='$(CC)' sh .ci/deps program $(if $(filter vulkan%,$(BACKEND)),device) $(if $(filter 1,$(VALIDATE)),layer)
	@$(MAKE) --no-print-directory build
	$(BUILD)/assay run --level $(LEVEL) --backend $(call shell_word,$(BACKEND)) $(if $(filter 1,$(VALIDATE)),--validate) \
	    $(BASELINE:%=--baseline %) --report $(BUILD)/report

conformance-swiftshader: build
	@LEVEL=$(LEVEL) sh .ci/swiftshader $(BUILD)

# JAX, ONNX Runtime and implementations of the array API, where there is a network; PyTorch is 3 GB: name it here if wanted.
ADAPTER_PACKAGES ?= numpy jax[cpu] onnxruntime onnx array-api-strict junitparser junit2html check-jsonschema
adapters:
	@sh .ci/adapters $(BUILD)/adapters $(foreach p,$(ADAPTER_PACKAGES),$(call shell_word,$(p)))

bench: build
	$(BUILD)/assay bench reference
	$(BUILD)/assay bench kernels --backend $(call shell_word,$(BACKEND))
	$(BUILD)/assay bench runner --backend $(call shell_word,$(BACKEND))

# What is installed, all of it: MODE:SOURCE:PLACE under PREFIX. Pages keep their places to each other, so that links hold.
PAGES := LICENSE $(wildcard *.md) $(shell find docs -type f \( -name '*.md' -o -name '*.json' \) 2>/dev/null | LC_ALL=C sort) \
         $(wildcard suites/*/README.md)
INSTALLED := 755:$(BUILD)/assay:bin/assay 644:$(BUILD)/assay.1:share/man/man1/assay.1 \
             644:harness/options/assay.bash:share/bash-completion/completions/assay \
             $(foreach p,$(PAGES),644:$(p):share/doc/assay/$(p)) \
             $(foreach r,$(wildcard packaging/recipes/*),$(if $(filter gate %.sh,$(notdir $(r))),755,644):$(r):share/assay/recipes/$(notdir $(r))) \
             $(foreach a,$(patsubst harness/adapters/%,%,$(filter-out harness/adapters/test/%,\
                 $(wildcard $(addprefix harness/adapters/,*.py *.c *.json */*.py)))),\
               644:harness/adapters/$(a):share/assay/adapters/$(a))
install: build
	$(BUILD)/assay help --man > $(BUILD)/assay.1
	sh .ci/install put $(call shell_word,$(DESTDIR)$(PREFIX)) $(INSTALLED)

uninstall:
	sh .ci/install remove $(call shell_word,$(DESTDIR)$(PREFIX)) $(INSTALLED)

# The program with its libraries, adapters, recipes and pages, for pip install; packaging/wheel says where it runs.
wheel: build
	@rm -rf $(BUILD)/stage
	@$(MAKE) --no-print-directory -s install DESTDIR= PREFIX=$(call shell_word,$(abspath $(BUILD)/stage))
	@sh packaging/wheel $(BUILD) $(VERSION)

# The pages of docs/reference that the program prints: its commands and its operators. check-quick compares them.
docs: build
	@sh .ci/generated-pages write $(BUILD)/assay

format:
	@sh .ci/format write

debug:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/debug CFLAGS='-O0 -g3' build

compile_commands.json: Makefile $(COMPILER)
	@printf '%s\n' $(ROOM_SRC) $(KERNEL_SRC) | sh .ci/compile-commands $(call shell_word,$(CC) $(BASE_FLAGS)) > $@

clean:
	rm -rf $(BUILD)

include .ci/tests.mk

-include $(shell find $(BUILD) -path $(BUILD)/portable -prune -o -type f -name '*.d' -print 2>/dev/null)

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
#   make                 build/assay
#   make conformance     set up, build, run the suite and write build/report/
#                        LEVEL=smoke|standard|exhaustive  BACKEND=vulkan|cpu|…  VALIDATE=1
#   make check           set up, build, run every test (SANITIZE=0 leaves the sanitizer build out)
#   make bench           what it costs
#   make install         PREFIX=/usr/local DESTDIR=
#   make deps            install what is missing (apt; elsewhere prints the package names)
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
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(JOBS)
endif
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:

# --- sources: every .c of a room but its tests; a new operator stem is found here, no list to edit
SHADERS      := $(wildcard kernels/vulkan/ops/*.comp)
KERNEL_SRC   := $(wildcard kernels/vulkan/*.c kernels/vulkan/ops/*.c kernels/cpu/*.c kernels/cpu/ops/*.c)
ROOM_SRC     := $(wildcard reference/*.c reference/ops/*.c suites/*.c suites/*/*.c \
                           harness/*.c harness/backends/*.c reports/*.c)
ROOM_SRC     := $(filter-out $(wildcard suites/test/*.c),$(ROOM_SRC))
MAIN         := harness/main.c
O            := $(BUILD)/obj
K            ?= $(BUILD)/kernels
KERNEL_FLAGS ?=

PKGS       := vulkan mpfr gmp libxml-2.0 jansson libxxhash
WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
BASE_FLAGS  = -std=c17 -D_GNU_SOURCE -ffp-contract=off $(WARNINGS) -I. $(PKG_CFLAGS) $(CFLAGS) $(EXTRA_FLAGS)
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LIBS       := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lmpfi -lmpfr -lgmp -lm

ROOM_OBJ   := $(ROOM_SRC:%.c=$(O)/%.o) $(O)/gen/registry.o
KERNEL_OBJ := $(KERNEL_SRC:%.c=$(K)/obj/%.o) $(K)/obj/shaders.o $(K)/obj/registry.o
LIB_OBJ    := $(filter-out $(O)/$(MAIN:.c=.o),$(ROOM_OBJ)) $(KERNEL_OBJ)

.PHONY: build conformance check check-quick check-sanitize mutants bench install deps clean gcov
build: $(BUILD)/assay

# A mutant or variant of the kernels links the same rooms with kernels built from the same sources and one -D more.
$(BUILD)/assay: $(ROOM_OBJ) $(KERNEL_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(EXTRA_FLAGS) -o $@ $^ $(LIBS)
$(K)/assay: $(ROOM_OBJ) $(KERNEL_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(EXTRA_FLAGS) -o $@ $^ $(LIBS)

$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<
$(K)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(BASE_FLAGS) $(KERNEL_FLAGS) -MMD -MP -c -o $@ $<

# --- generated: registries from the files that are there, shaders as words, version
$(O)/gen/registry.c: Makefile $(wildcard reference/ops suites/* harness/backends)
	@mkdir -p $(@D)
	@sh harness/registry.sh rooms > $@
$(O)/gen/registry.o: $(O)/gen/registry.c
	$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<
$(K)/obj/registry.c: Makefile $(wildcard kernels/vulkan/ops kernels/cpu/ops)
	@mkdir -p $(@D)
	@sh harness/registry.sh kernels > $@
$(K)/obj/registry.o: $(K)/obj/registry.c
	$(CC) $(BASE_FLAGS) $(KERNEL_FLAGS) -MMD -MP -c -o $@ $<

$(K)/spv/%.stamp: kernels/vulkan/ops/%.comp kernels/vulkan/compile.sh $(wildcard kernels/vulkan/lib/*.glsl)
	@mkdir -p $(@D)
	sh kernels/vulkan/compile.sh $< $(@D) $(KERNEL_FLAGS)
	@touch $@
$(K)/obj/shaders.c: $(SHADERS:kernels/vulkan/ops/%.comp=$(K)/spv/%.stamp) kernels/vulkan/embed.sh
	@mkdir -p $(@D)
	@sh kernels/vulkan/embed.sh $(K)/spv $(SHADERS) > $@
$(K)/obj/shaders.o: $(K)/obj/shaders.c
	$(CC) $(BASE_FLAGS) -MMD -MP -c -o $@ $<

COMMIT := $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
$(BUILD)/version.stamp: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(COMMIT)' | cmp -s - $@ || echo '$(VERSION) $(COMMIT)' > $@
$(O)/harness/version.o: EXTRA_FLAGS += -DASSAY_VERSION='"$(VERSION)"' -DASSAY_COMMIT='"$(COMMIT)"'
$(O)/harness/version.o: $(BUILD)/version.stamp
FORCE:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

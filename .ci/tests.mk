# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# The part of the Makefile that checks assay itself: tests, mutations, mutants, portability, sanitizers and fuzzers.
# docs/dev/testing.md says what each target is for.

# One Criterion binary per room from the folders test/ in it
TEST_ROOMS := $(foreach r,reference kernels suites harness reports,$(if $(call tests_in,$(r)),$(r)))
TEST_BIN   := $(TEST_ROOMS:%=$(BUILD)/test/%)
# Arb is a library of its own in Debian 12 and a part of FLINT since FLINT 3.
ARB_LIBS    = $(shell echo 'int main(void){return 0;}' | $(CC) -x c - -lflint-arb -o /dev/null 2>/dev/null && \
                echo -lflint-arb) -lflint
TEST_LIBS   = $(shell pkg-config --libs criterion 2>/dev/null || echo -lcriterion) $(ARB_LIBS)
TEST_PROGRAM = $(1:%=harness/test/programs/%.c)
FAULTY     := $(call TEST_PROGRAM,faulty_backend faulty_state faulty_memory faulty_values faulty_work)
# Programs of the exec protocol, each of its own: the example, one with a fault of state, one with what profiles declare.
PECULIAR   := $(call TEST_PROGRAM,peculiar_program peculiar_values peculiar_forms)
# Let assay's allocations fail, from outside: a library for LD_PRELOAD.
PRELOADED  := $(call TEST_PROGRAM,allocation_faults)

define room_test
$(BUILD)/test/$(1): $(patsubst %.c,$(O)/%.o,$(call tests_in,$(1))) $(LIB_OBJ)
	@mkdir -p $$(@D)
	$$(call say,LINK)$$(CC) $$(CFLAGS) $$(EXTRA_FLAGS) -o $$@ $$^ $$(TEST_LIBS) $$(LIBS)
endef
$(foreach r,$(TEST_ROOMS),$(eval $(call room_test,$(r))))

# assay with one backend more, which misbehaves on demand; the harness' tests run it.
$(BUILD)/test/assay-faulty: $(ROOM_OBJ) $(KERNEL_OBJ) $(FAULTY:%.c=$(O)/%.o)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CFLAGS) $(EXTRA_FLAGS) -o $@ $^ $(LIBS)

$(BUILD)/test/example: harness/adapters/example.c
$(BUILD)/test/stale: $(call TEST_PROGRAM,stale_program)
EXEC_PROGRAMS := $(BUILD)/test/example $(BUILD)/test/stale
$(EXEC_PROGRAMS): $(COMPILER)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(subst $(COUNTED),,$(BASE_FLAGS)) -o $@ $(filter %.c,$^) $(shell pkg-config --libs jansson 2>/dev/null)

# A program of the exec protocol that does what profiles declare.
$(BUILD)/test/peculiar: $(PECULIAR:%.c=$(O)/%.o) $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CFLAGS) $(EXTRA_FLAGS) -o $@ $^ $(LIBS)

$(BUILD)/test/allocation-faults.so: $(PRELOADED) $(COMPILER)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(subst $(COUNTED),,$(BASE_FLAGS)) -shared -fPIC -o $@ $< -ldl

# Every header alone.
HEADERS := $(call files_in,reference suites harness reports kernels,*.h)
$(O)/alone/%.ok: % $(COMPILER)
	@mkdir -p $(@D)
	@echo '#include "$<"' | $(CC) $(BASE_FLAGS) -MMD -MP -MF $(@:.ok=.d) -MT $@ -fsyntax-only -x c -
	@touch $@

# The tests that take minutes wait for check-all: suites and tests called …_slow or …_takes_seconds, faults of state,
# faults of the verdict's functions, wrong kernels, failed allocations, sanitizers.
check:
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory check-quick

check-all:
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory check-slow
	@$(MAKE) --no-print-directory mutations
	@$(MAKE) --no-print-directory mutants
	@$(MAKE) --no-print-directory check-allocations $(if $(SHARE),,POINTS=400)
ifneq ($(SANITIZE),0)
	@$(MAKE) --no-print-directory check-sanitize
	@$(if $(LIBFUZZER),$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=$(if $(SHARE),5,10),echo 'no clang with libFuzzer here: readers are not fuzzed')
endif

QUICK_TESTS := '!(*_slow|state)/!(*_slow|*_takes_seconds)'
# SHARE=K/48, of a CI: a part of what takes long, in turn; of six words one, or all of them.
SIXTHS   := 1 2 3 4 5 6
TWO_DOZEN := $(SIXTHS) $(SIXTHS) $(SIXTHS) $(SIXTHS)
share_of = $(if $(filter %/48,$(SHARE)),$(word $(word $(SHARE:/48=),$(TWO_DOZEN) $(TWO_DOZEN)),$(1)),$(1))
comma := ,
SLOW_TESTS = $(subst $(comma), ,$(call share_of,'state/a_*' 'state/!(a_*)' \
    'elementary_slow/[a-e]*' 'elementary_slow/[!a-e]*'$(comma)'!(elementary)_slow/*' \
    '!(*_slow|state)/[a-m]*@(_slow|_takes_seconds)' '!(*_slow|state)/[!a-m]*@(_slow|_takes_seconds)'))
RUN_TEST   = echo "=== $(BUILD)/test/$(1)" $(2); ASSAY_FAULTY=$(BUILD)/test/assay-faulty $(BUILD)/test/$(1) --filter $(2) || status=1;
RUN_TESTS  = @status=0; $(foreach room,$(1),$(foreach tests,$(2),$(call RUN_TEST,$(room),$(tests)))) exit $$status
TEST_PROGRAMS := $(TEST_BIN) $(BUILD)/test/assay-faulty $(EXEC_PROGRAMS) $(BUILD)/test/peculiar

# The CPU backend computes what is judged, and a benchmark times libm itself: all others give the same bits everywhere.
USES_LIBM := $(K)/obj/kernels/cpu/% $(O)/harness/bench/bench_elementary.o

# One line for each item of harness/test/trials.txt: what was once green and must not be. ALL=1: also the lines that take minutes.
check-trials: build $(TEST_PROGRAMS)
	@sh harness/test/trials.sh $(BUILD) harness/test/trials.txt

check-quick: build $(TEST_PROGRAMS) $(HEADERS:%=$(O)/alone/%.ok)
	$(call RUN_TESTS,$(TEST_ROOMS),$(QUICK_TESTS))
	@sh .ci/circles $(ROOM_OBJ) $(KERNEL_OBJ)
	@sh .ci/folders $(ROOM_OBJ) $(KERNEL_OBJ)
	@sh .ci/libm $(filter-out $(USES_LIBM),$(ROOM_OBJ) $(KERNEL_OBJ))
	@sh .ci/arb
	@sh .ci/generated-pages check $(BUILD)/assay && .ci/rules && sh .ci/schema $(BUILD)
	$(BUILD)/assay list --coverage > $(BUILD)/coverage.txt || { grep -i 'no case' $(BUILD)/coverage.txt; exit 1; }
	@sh .ci/lines 400
	@sh .ci/format check
	@sh .ci/words
	@sh kernels/test/mutants/check.sh
	@.ci/docs --self-test
	@.ci/docs $(BUILD)/assay

check-slow: build $(TEST_PROGRAMS)
	$(call RUN_TESTS,$(TEST_ROOMS),$(SLOW_TESTS))

# Failed allocations, at POINTS places of a run; with SHARE=K/N every N-th of them. No record may be wrong, no run green.
POINTS ?= 3000
check-allocations: build $(BUILD)/test/allocation-faults.so
	@SHARE='$(SHARE)' sh harness/test/allocations.sh $(BUILD)/assay $(BUILD)/test/allocation-faults.so $(POINTS)

# The same bits on aarch64, under qemu, as here: of all operators at the smoke level, or of OPERATORS='GLOB…'. Every source
# compiles for macOS and for musl (TARGETS=: for none).
TARGETS ?= aarch64-macos x86_64-linux-musl aarch64-linux-musl
check-portable: build
	@sh .ci/aarch64 $(BUILD) $(foreach operator,$(OPERATORS),$(call shell_word,$(operator)))
	@printf '%s\n' $(ROOM_SRC) $(KERNEL_SRC) $(patsubst %.o,%.c,$(filter $(O)/gen/%,$(ROOM_OBJ))) $(K)/obj/registry.c | \
	    sh .ci/compiles $(BUILD) $(TARGETS)

# Wrong kernels that the suite must catch, legal ones that it must accept: MUTANTS='NAME…' for some of them.
mutants: build
	BACKEND=$(call shell_word,$(BACKEND)) sh kernels/test/mutants/run.sh $(BUILD) $(MUTANTS)

# Of these the forms that are promised, and a table: kernels/test/mutants/promised.txt.
promised: build
	BACKEND=$(call shell_word,$(BACKEND)) sh kernels/test/mutants/promised.sh $(BUILD)

# The tests of what decides a verdict and of what reads archives; those that start assay would be run once per fault for
# nothing.
VERDICT_TESTS := $(call tests_in,reference) $(foreach name,\
    false_alarms agreement archive argmax baseline_no_evidence bounded by_input cache collections declared_words ends evidence evidence_resolution \
    evidence_sums exec_words graded images integers judge kernel_parts large legal legal_matrix legal_normalization zero_copy metrics observed observed_runs \
    once_reported_falsely ownership queue verdict_query rounded shortage stories_alike stories_first stories_inside \
    stories_second stories_third stories_tools traversal vanishing verdict_texts verification wrong_elements hypotheses_chain,$(filter %/test/$(name).c,$(call tests_in,harness))) reports/records/test/results.c reports/records/test/merge.c reports/test/summary_closing.c
mutations: build $(TEST_PROGRAMS)
	@sh harness/test/mutations/mutate.sh $(O) "$(CC) $(BASE_FLAGS)" "$(TEST_LIBS) $(LIBS)" $(foreach r,reference harness reports,\
    $(r)="$(patsubst %.c,$(O)/%.o,$(filter $(r)/%,$(VERDICT_TESTS))) $(LIB_OBJ)")

# Everything that runs on the CPU, under AddressSanitizer and UndefinedBehaviorSanitizer, and the readers of what comes
# from outside under libFuzzer: one build for both where there is a clang with libFuzzer, else gcc's and no fuzzing.
FUZZ_SECONDS ?= 60
FUZZ         := $(basename $(notdir $(wildcard harness/test/fuzz/*.c)))
SANITIZE_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LIBFUZZER       = $(shell echo 'int LLVMFuzzerTestOneInput(const char *b, unsigned long n) { return b && n > 8; }' | \
                    clang -x c - -fsanitize=fuzzer,address -o /dev/null 2>/dev/null && echo 1)
# __SANITIZE_ADDRESS__ is gcc's name for what clang calls a feature.
SANITIZED_BUILD = BUILD=$(BUILD)/sanitize CFLAGS='-O1 -g1' $(if $(LIBFUZZER),CC=clang \
                    EXTRA_FLAGS='$(SANITIZE_FLAGS) -fsanitize=fuzzer-no-link -D__SANITIZE_ADDRESS__=1',EXTRA_FLAGS='$(SANITIZE_FLAGS)')
# Rooms, and what their tests' names begin with.
SANITIZED      := $(call share_of,reference:[a-m] harness:[a-m] suites:? reference:[!a-m] harness:[!a-m] reports:?)
room_of         = $(firstword $(subst :, ,$(1)))
SANITIZED_ROOMS = $(sort $(foreach part,$(SANITIZED),$(call room_of,$(part))))
check-sanitize: sanitized-shaders
	@$(MAKE) --no-print-directory $(SANITIZED_BUILD) check-sanitized

# Shaders are no code of the CPU's: those that are compiled serve this build too.
.PHONY: sanitized-shaders
sanitized-shaders:
	@if [ -d $(K)/spv ] && [ ! -d $(BUILD)/sanitize/kernels/spv ]; then \
	    mkdir -p $(BUILD)/sanitize/kernels && cp -a $(K)/spv $(BUILD)/sanitize/kernels/; fi

# make fuzz FUZZ_SECONDS=600; build/sanitize/ keeps the corpus-READER of each, and what makes it fail as crash-….
# It begins with the seeds that seeds.py writes and with the words of READER.dict.
SEEDS := $(BUILD)/seeds
$(SEEDS)/made: harness/test/fuzz/seeds.py $(BUILD)/assay
	@rm -rf $(@D)
	$(call say,SEEDS)python3 $< $(BUILD)/assay $(@D)
	@touch $@
fuzz: $(SEEDS)/made sanitized-shaders
	@$(if $(LIBFUZZER),,echo "no clang with libFuzzer here: Debian's packages clang and libclang-rt-dev" >&2; exit 1)
	@$(MAKE) --no-print-directory $(SANITIZED_BUILD) SEEDS=$(SEEDS) fuzzed
# Edges that the inputs of a reader reach at least in five seconds (libFuzzer's cov:); fewer mean that its seeds are no longer read.
FUZZ_EDGES := 250
fuzzed: $(FUZZ:%=fuzzed-%)
$(FUZZ:%=fuzzed-%): fuzzed-%: $(BUILD)/fuzz-% harness/test/fuzz/%.dict
	@mkdir -p $(BUILD)/corpus-$*
	@$< -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -print_final_stats=1 -artifact_prefix=$(BUILD)/ -dict=harness/test/fuzz/$*.dict \
	    $(BUILD)/corpus-$* $(SEEDS)/$* >$<.log 2>&1 || { tail -40 $<.log; exit 1; }
	@edges=$$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' $<.log | tail -1); \
	    printf '  FUZZ    %s: %s inputs, %s edges, nothing found\n' $* "$$(sed -n 's/^stat::number_of_executed_units: *//p' $<.log)" "$$edges"; \
	    [ "$${edges:-0}" -ge $(FUZZ_EDGES) ] || { echo "$*: fewer than $(FUZZ_EDGES) edges; see harness/test/fuzz/seeds.py" >&2; exit 1; }
$(BUILD)/fuzz-%: $(O)/harness/test/fuzz/%.o $(LIB_OBJ)
	$(call say,LINK)$(CC) $(CFLAGS) $(SANITIZE_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

.PHONY: check-sanitized fuzzed $(FUZZ:%=fuzzed-%)
# But those that start the program again and again, drive a shell, hold other people's packages to the truth or measure: there
# each command once, and exec's and repro's tests, show a sanitizer the same code.
NOT_SANITIZED := *_slow|state|planted|false_alarms_slow|held|declared*|adapters|adapter_places|strays|check|compare|recipes|colour|run
NOT_SANITIZED := $(NOT_SANITIZED)|each_option|idle_options|install|makefile|vulkan_loader|manual|completion|machine|faults|shrink|bundle*|costs
NOT_SANITIZED := $(NOT_SANITIZED)|output|merge|repro_comparison|repro_resolution|core_seconds|checker_costs|stories|called|assay_capture|python_module|repro_layouts
SANITIZED_TESTS = '!($(NOT_SANITIZED))/$(lastword $(subst :, ,$(1)))!(*_slow|*_takes_seconds)'
# What no memory holds must be refused by assay, not by the sanitizer.
check-sanitized: export ASAN_OPTIONS = detect_leaks=0:allocator_may_return_null=1
check-sanitized: $(BUILD)/assay $(SANITIZED_ROOMS:%=$(BUILD)/test/%) $(BUILD)/test/assay-faulty $(EXEC_PROGRAMS) $(BUILD)/test/peculiar
	@status=0; $(foreach part,$(SANITIZED),$(call RUN_TEST,$(call room_of,$(part)),$(call SANITIZED_TESTS,$(part)))) exit $$status
	@rm -f $(BUILD)/leak.*
	ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:log_path=$(BUILD)/leak sh .ci/each-command $(BUILD)
	@! cat $(BUILD)/leak.* 2>/dev/null # also what a worker reports at its end


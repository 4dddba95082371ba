/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* libFuzzer target for baseline files. It reads a baseline, queries it, applies it to records and writes it
 * again, as a run does. The written file must be readable and have the expected number of entries. */

#include "harness/gate/baseline.h"
#include "harness/test/fuzz/file.h"
#include "reports/gate.h"

static const char *const known[] = {"linalg/logdet/float32/hilbert-n5", "a/b/c/d",
                                    "linalg/logdet/float16/new"};
enum { KNOWN = sizeof known / sizeof *known };

static const char *known_id(const void *list, int index)
{
    return ((const char *const *)list)[index];
}

static void hear(void *user, const char *text)
{
    (void)user;
    if (!strchr(text, ':')) {
        abort();
    }
}

static void apply(struct baseline *baseline, const char *id, enum status status)
{
    struct record record = {.id = strdup(id), .backend = strdup("vulkan"), .status = status};
    if (record.id && record.backend) {
        baseline_apply(baseline, &record, GATE_STRICT);
    }
    record_clear(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct fuzz_file file;
    struct error error;
    if (!fuzz_file(&file, ".json", bytes, size)) {
        return 0;
    }
    struct baseline *baseline = baseline_read(file.path, false, &error);
    if (baseline) {
        int removed = 0, added = 0, before = baseline_count(baseline);
        baseline_device(baseline, "vulkan", "llvmpipe", "Mesa");
        baseline_date(baseline, "2026-11-29");
        baseline_know(baseline, KNOWN, known_id, known);
        apply(baseline, known[0], STATUS_FAIL);
        apply(baseline, known[1], STATUS_PASS);
        apply(baseline, known[2], STATUS_CRASH);
        apply(baseline, known[2], STATUS_UNSUPPORTED);
        apply(baseline, known[0], STATUS_VACUOUS);
        baseline_excuses(baseline, known[0], STATUS_FAIL);
        baseline_stale(baseline, hear, NULL);
        bool wrote = baseline_update(baseline, &removed, &added, &error);
        baseline_destroy(&baseline);
        baseline = wrote ? baseline_read(file.path, false, &error) : NULL;
        if (wrote && (!baseline || baseline_count(baseline) != before - removed + added)) {
            abort();
        }
    }
    baseline_destroy(&baseline);
    return 0;
}

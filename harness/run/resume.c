/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/resume.h"

#include "harness/selection/case_index.h"
#include "reports/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool resume_read(const char *path, struct resume *resume, struct error *error)
{
    *resume = (struct resume){.path = path};
    if (!results_read_lines(path, &resume->results, error)) {
        return false;
    }
    const char *why = resume->results.headers == 0 ? "it has no header" : resume->results.conflict;
    return !why || error_set(error, "--resume %s: %s; run again without --resume", path, why);
}

void resume_destroy(struct resume *resume)
{
    results_destroy(&resume->results);
    resume->path = NULL;
}

static struct record_header *find_header(const struct resume *resume, const char *backend)
{
    for (int h = 0; resume->path && h < resume->results.headers; h++) {
        struct record_header *header = &resume->results.header[h];
        if (text_same(header->backend, backend) && !header->fault) { /* with a fault, nothing was run */
            return header;
        }
    }
    return NULL;
}

const struct record_header *resume_header(const struct resume *resume, const char *backend)
{
    return find_header(resume, backend);
}

/* --- the same run */

static bool same(const struct resume *resume, const char *what, const char *earlier, const char *now,
                 struct error *error)
{
    return text_same(earlier, now) ||
           error_set(
               error,
               "--resume %s: its %s is %s, and here it is %s; give the same command on the same device, or "
               "run without --resume",
               resume->path, what, earlier ? earlier : "not stated", now ? now : "not stated");
}

bool resume_same_command(const struct resume *resume, const struct record_header *earlier,
                         const struct record_header *now, struct error *error)
{
    char seeds[2][24];
    snprintf(seeds[0], sizeof seeds[0], "%" PRIu64, earlier->seed);
    snprintf(seeds[1], sizeof seeds[1], "%" PRIu64, now->seed);
    return same(resume, "version of assay", earlier->assay, now->assay, error) &&
           same(resume, "commit of assay", earlier->commit, now->commit, error) &&
           same(resume, "reference", earlier->reference, now->reference, error) &&
           same(resume, "seed", seeds[0], seeds[1], error) &&
           same(resume, "level", earlier->level, now->level, error) &&
           same(resume, "list of options", earlier->options, now->options, error) &&
           same(resume, "shard", earlier->shard, now->shard, error) &&
           same(resume, "partition into shards", earlier->partition, now->partition, error) &&
           same(resume, "selection of cases", earlier->selection, now->selection, error);
}

bool resume_same_device(const struct resume *resume, const struct record_header *earlier,
                        const struct record_header *now, struct error *error)
{
    if (!same(resume, "device", earlier->device, now->device, error) ||
        !same(resume, "driver", earlier->driver, now->driver, error) ||
        !same(resume, "API", earlier->api, now->api, error)) {
        return false;
    }
    for (int p = 0; p < earlier->profile_count || p < now->profile_count; p++) {
        const struct record_pair none = {NULL, NULL};
        const struct record_pair *a = p < earlier->profile_count ? &earlier->profile[p] : &none,
                                 *b = p < now->profile_count ? &now->profile[p] : &none;
        const char *name = a->name ? a->name : b->name;
        char what[160];
        snprintf(what, sizeof what, "profile's %s", name ? name : "");
        if (!same(resume, what, a->value, text_same(a->name, b->name) ? b->value : NULL, error)) {
            return false;
        }
    }
    return true;
}

/* --- what is kept */

/* A baseline may have given the record its status, or may give it another one now. */
static bool depends_on_baseline(const struct record *record, bool baseline)
{
    return record->status == STATUS_EXPECTED_FAIL || record->status == STATUS_UNEXPECTED_PASS ||
           record->excused || (baseline && status_is_failure(record->status));
}

/* Moves one record to the target if it is kept. */
static bool keep_record(const struct resume_target *target, struct record *record, bool *kept, int index,
                        struct error *error)
{
    if (kept[index] || record->status == STATUS_MISSING ||
        depends_on_baseline(record, target->baseline != NULL)) {
        return true;
    }
    kept[index] = true;
    record->part = 0;
    if (target->baseline) {
        baseline_apply(target->baseline, record, target->gate);
    }
    return (!target->to || results_file_record(target->to, record, error)) &&
           (results_add_record(target->results, record) || error_set(error, "out of memory for the results"));
}

static bool keep_records(struct resume *resume, const char *backend, const struct resume_target *target,
                         const struct case_index *cases, bool *kept, struct error *error)
{
    bool good = true;
    for (int r = 0; good && r < resume->results.records; r++) {
        struct record *record = &resume->results.record[r];
        if (record->id && text_same(record->backend, backend)) {
            const struct case_place *found = case_index_find(cases, record->id);
            good = !found || keep_record(target, record, kept, found->index, error);
        }
    }
    return good;
}

static void drop_kept(struct selection *selection, const bool *kept)
{
    int count = 0;
    for (int i = 0; i < selection->count; i++) {
        if (!kept[selection->index[i]]) {
            selection->index[count++] = selection->index[i];
        }
    }
    selection->count = count;
}

bool resume_keep(struct resume *resume, const char *backend, const struct resume_target *target,
                 struct selection *selection, struct error *error)
{
    struct record_header *header = find_header(resume, backend);
    if (!header) {
        return true;
    }
    struct case_index cases = {.count = 0};
    bool *kept = calloc((size_t)suite_list_count(target->list) + 1, sizeof *kept);
    bool good = (kept && case_index_create(target->list, &cases)) ||
                error_set(error, "out of memory for the results");
    if (good && target->baseline) {
        baseline_device(target->baseline, header->backend, header->device, header->driver);
    }
    good = good && (!target->to || results_file_header(target->to, header, error)) &&
           keep_records(resume, backend, target, &cases, kept, error);
    if (good) {
        drop_kept(selection, kept);
        good =
            results_add_header(target->results, header) || error_set(error, "out of memory for the results");
    }
    case_index_destroy(&cases);
    free(kept);
    return good;
}

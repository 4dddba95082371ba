/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache/cache.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/assay-cache-XXXXXX";
static char moved[64];
static struct tensor matrix;
static struct attributes none;
static struct op_call call;
static struct truth *truth;
static const struct truth_libraries some = {"4.2.0", "6.2.1", "1.5.4"}, others = {"4.2.1", "6.2.1", "1.5.4"};

static void begin(void)
{
    cr_assert(mkdtemp(folder));
    snprintf(moved, sizeof moved, "%s/moved", folder);
    struct shape shape = {.rank = 2, .dim = {2, 2}};
    cr_assert(tensor_create(&matrix, DTYPE_FLOAT64, &shape));
    memcpy(matrix.data, (double[]){3, 1, 1, 2}, 4 * sizeof(double));
    call = (struct op_call){.op = op_find("logdet"), .attributes = &none, .inputs = 1, .input = &matrix};
    cr_assert(call.op);
    struct op_signature signature = {.outputs = 1, .output = {{.dtype = DTYPE_FLOAT64}}};
    struct error error = {.text = ""};
    truth = op_truth(&call, &signature, &error);
    cr_assert(truth, "%s", error.text);
}

static void end(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_expect_eq(system(command), 0);
    truth_destroy(&truth);
    tensor_destroy(&matrix);
}

TestSuite(cache, .init = begin, .fini = end);

/* The path of the only entry in the cache. */
static const char *entry(void)
{
    static char path[PATH_MAX];
    path[0] = 0;
    int entries = 0;
    for (int i = 0; i < 256; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%02x", folder, (unsigned)i);
        DIR *directory = opendir(name);
        for (struct dirent *item; directory && (item = readdir(directory));) {
            if (item->d_name[0] != '.') {
                snprintf(path, sizeof path, "%s/%s", name, item->d_name);
                entries++;
            }
        }
        if (directory) {
            closedir(directory);
        }
    }
    cr_assert_leq(entries, 1);
    return path;
}

static bool same_value(const struct truth *other)
{
    return other && other->outputs == 1 && other->output[0].elements == 1 &&
           memcmp(&other->output[0].value[0].hi, &truth->output[0].value[0].hi, sizeof(double)) == 0 &&
           other->output[0].value[0].lo == truth->output[0].value[0].lo && other->bits == truth->bits;
}

static bool answers(struct cache *cache)
{
    struct truth_source source = cache_source(cache);
    struct truth *found = source.lookup(source.user, &call);
    bool same = same_value(found);
    cr_expect(!found || same, "a truth from the cache differs from the one that was stored");
    truth_destroy(&found);
    return same;
}

static void store(struct cache *cache)
{
    struct truth_source source = cache_source(cache);
    source.store(source.user, &call, truth, INT64_MAX);
}

Test(cache, answers_what_was_stored)
{
    struct cache *cache = cache_create(folder, some);
    cr_expect_not(answers(cache));
    store(cache);
    cr_expect(answers(cache));
    struct cache_statistics statistics = cache_statistics(cache);
    cr_expect(statistics.hits == 1 && statistics.misses == 1 && statistics.damaged == 0);
    ((double *)matrix.data)[3] = 7;
    cr_expect_not(answers(cache), "other inputs");
    ((double *)matrix.data)[3] = 2;
    cache_destroy(&cache);
    cache = cache_create(folder, others);
    cr_expect_not(answers(cache), "truths by another MPFR are not used");
    cache_destroy(&cache);
}

/* What is computed as fast as it is read is not worth its place; neither is a little thing that takes no
 * time.
 */
Test(cache, keeps_what_is_worth_it)
{
    cr_expect(store_worthwhile(1000000, 1000) && store_worthwhile(205000, 1000));
    cr_expect_not(store_worthwhile(199999, 0), "a file of its own costs that much");
    cr_expect_not(store_worthwhile(200000, 1000));
    cr_expect(store_worthwhile(6200000, 1200000) && !store_worthwhile(6199999, 1200000), "5 ns a byte");
    cr_expect(store_worthwhile(INT64_MAX, STORE_ENTRY_MAX) &&
              !store_worthwhile(INT64_MAX, (size_t)STORE_ENTRY_MAX + 1));
    struct cache *cache = cache_create(folder, some);
    struct truth_source source = cache_source(cache);
    source.store(source.user, &call, truth, 1000);
    cr_expect_str_empty(entry());
    cr_expect_not(answers(cache));
    source.store(source.user, &call, truth, 1000000);
    cr_expect(answers(cache));
    cache_destroy(&cache);
}

/* Every single byte of an entry is flipped in turn: none may be believed, and the entry must be replaceable.
 */
Test(cache, never_trusts_damage)
{
    struct cache *cache = cache_create(folder, some);
    store(cache);
    struct stat status;
    cr_assert_eq(stat(entry(), &status), 0);
    for (long at = 0; at < status.st_size; at++) {
        FILE *file = fopen(entry(), "r+");
        cr_assert(file);
        fseek(file, at, SEEK_SET);
        int byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(byte ^ 1 << at % 8, file);
        fclose(file);
        cr_assert_not(answers(cache), "byte %ld", at);
        cr_assert_str_empty(entry(), "a damaged entry is removed");
        store(cache);
        cr_assert(answers(cache));
    }
    cr_expect_eq(cache_statistics(cache).damaged, status.st_size);
    cache_destroy(&cache);
}

Test(cache, never_trusts_a_cut_or_another_key)
{
    struct cache *cache = cache_create(folder, some);
    store(cache);
    struct stat status;
    cr_assert_eq(stat(entry(), &status), 0);
    const long lengths[] = {0, 1, 39, 40, status.st_size - 1};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        cr_assert_eq(truncate(entry(), lengths[i]), 0);
        cr_expect_not(answers(cache), "cut to %ld bytes", lengths[i]);
        store(cache);
    }
    char first[PATH_MAX], second[PATH_MAX];
    snprintf(first, sizeof first, "%s", entry());
    cr_assert_eq(rename(first, moved), 0);
    ((double *)matrix.data)[3] = 7;
    store(cache);
    snprintf(second, sizeof second, "%s", entry());
    cr_assert_eq(rename(moved, second), 0);
    cr_expect_not(answers(cache), "a file under another key's name");
    cache_destroy(&cache);
}

Test(cache, survives_a_folder_that_cannot_be_written)
{
    struct cache *cache = cache_create("/proc/nowhere/at/all", some);
    store(cache);
    cr_expect_not(answers(cache));
    cache_destroy(&cache);
}

Test(cache, what_is_no_file_does_not_hang_and_is_replaced)
{
    struct cache *cache = cache_create(folder, some);
    store(cache);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", entry());
    cr_assert(unlink(path) == 0 && mkfifo(path, 0600) == 0);
    alarm(20);
    cr_expect_not(answers(cache));
    alarm(0);
    cr_expect_str_empty(entry(), "it is removed");
    store(cache);
    cr_expect(answers(cache));
    cache_destroy(&cache);
}

/* Another user's cache must not be read or written: whatever the umask, folders and entries are their
 * owner's. */
Test(cache, is_its_owners_alone)
{
    struct stat status;
    char inside[PATH_MAX], key[8];
    mode_t before = umask(0);
    snprintf(inside, sizeof inside, "%s/deep/assay/truth", folder);
    struct cache *cache = cache_create(inside, some);
    store(cache);
    umask(before);
    char digest[33];
    call_digest(&call, digest);
    snprintf(key, sizeof key, "%.2s", digest);
    static const char *const below[] = {"/deep", "/deep/assay", "/deep/assay/truth"};
    for (int i = 0; i < 3; i++) {
        snprintf(inside, sizeof inside, "%s%s", folder, below[i]);
        cr_assert_eq(stat(inside, &status), 0);
        cr_expect_eq(status.st_mode & 07777, 0700, "%s: %o", inside, (unsigned)status.st_mode & 07777);
    }
    snprintf(inside, sizeof inside, "%s/deep/assay/truth/%s", folder, key);
    DIR *directory = opendir(inside);
    cr_assert(directory);
    for (struct dirent *item; (item = readdir(directory));) {
        cr_assert_eq(fstatat(dirfd(directory), item->d_name, &status, 0), 0);
        cr_expect(item->d_name[0] == '.' || (status.st_mode & 077) == 0, "%s", item->d_name);
    }
    closedir(directory);
    cr_expect(answers(cache));
    cache_destroy(&cache);
}

/* Whatever another user could have written is not believed: the entry, its folder, or the cache's own. */
Test(cache, what_others_can_write_is_not_believed)
{
    struct cache *cache = cache_create(folder, some);
    store(cache);
    cr_assert(answers(cache));
    char file[PATH_MAX], sub[PATH_MAX];
    snprintf(file, sizeof file, "%s", entry());
    snprintf(sub, sizeof sub, "%s", file);
    *strrchr(sub, '/') = 0;
    const char *const path[] = {file, sub, folder};
    for (int i = 0; i < 3; i++) {
        struct stat before;
        cr_assert_eq(stat(path[i], &before), 0);
        for (int group = 0; group < 2; group++) {
            cr_assert_eq(chmod(path[i], before.st_mode | (group ? S_IWGRP : S_IWOTH)), 0);
            cache_destroy(&cache);
            cache = cache_create(folder, some);
            cr_expect_not(answers(cache), "%s, which others may write, was believed", path[i]);
            cr_expect_eq(store_is_trusted(folder), i < 2);
            cr_assert_eq(chmod(path[i], before.st_mode), 0);
        }
        if (geteuid() == 0) { /* else nobody can give a file away */
            cr_assert_eq(chown(path[i], 65534, 65534), 0);
            cache_destroy(&cache);
            cache = cache_create(folder, some);
            cr_expect_not(answers(cache), "another user's %s was believed", path[i]);
            cr_assert_eq(chown(path[i], 0, 0), 0);
        }
    }
    cache_destroy(&cache);
    cache = cache_create(folder, some);
    cr_expect(answers(cache));
    cache_destroy(&cache);
}

/* An entry that is a link may lead to a file that somebody else keeps. */
Test(cache, a_link_is_no_entry)
{
    struct cache *cache = cache_create(folder, some);
    store(cache);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", entry());
    cr_assert_eq(rename(path, moved), 0);
    cr_assert_eq(symlink(moved, path), 0);
    cr_expect_not(answers(cache));
    unlink(path);
    cache_destroy(&cache);
}

/* A link laid under the name that a temporary file would have must not be written through. */
Test(cache, temporary_names_cannot_be_foreseen)
{
    struct cache *cache = cache_create(folder, some);
    store(cache);
    char path[PATH_MAX], link[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s", entry());
    cr_assert_eq(rename(path, moved), 0);
    cr_assert_eq(truncate(moved, 3), 0);
    snprintf(link, sizeof link, "%s.tmp%ld", path, (long)getpid());
    cr_assert_eq(symlink(moved, link), 0);
    store(cache);
    struct stat status;
    cr_assert_eq(stat(moved, &status), 0);
    cr_expect_eq(status.st_size, 3, "the file behind the link was overwritten");
    unlink(link);
    cache_destroy(&cache);
}

Test(cache, trim_keeps_to_the_limit)
{
    struct cache *cache = cache_create(folder, some);
    for (int i = 0; i < 40; i++) {
        ((double *)matrix.data)[3] = 3 + i;
        store(cache);
    }
    cache_destroy(&cache);
    uint64_t all = store_trim(folder, UINT64_MAX);
    cr_expect_gt(all, 0);
    cr_expect_eq(store_trim(folder, all), all, "what fits stays");
    uint64_t rest = store_trim(folder, all / 2);
    cr_expect(rest <= all / 2 && rest > 0);
    cr_expect_eq(store_trim(folder, UINT64_MAX), rest);
}

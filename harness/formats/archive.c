/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/archive.h"
#include "reports/records/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

enum { DEFLATE_MOST = 1032 }; /* output bytes per input byte */

struct archive {
    char *path;
    zip_t *zip;
    int members;
    struct archive_member *member;
};

/* --- checks of members */

static const char *compression_name(unsigned method)
{
    static const struct {
        unsigned method;
        const char *name;
    } names[] = {{ZIP_CM_SHRINK, "shrink"}, {ZIP_CM_IMPLODE, "implode"}, {ZIP_CM_DEFLATE64, "deflate64"},
                 {ZIP_CM_BZIP2, "bzip2"},   {ZIP_CM_LZMA, "lzma"},       {93, "zstd"},
                 {ZIP_CM_XZ, "xz"},         {ZIP_CM_PPMD, "ppmd"}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        if (names[n].method == method) {
            return names[n].name;
        }
    }
    return "an unknown one";
}

/* Returns NULL, or what is wrong with a name. No member becomes a file here, but names are printed, and
 * people unpack archives with other tools. */
static const char *fault_of_name(const char *name)
{
    if (!name || !name[0]) {
        return "a member has no name";
    }
    if (name[0] == '/' || (name[0] && name[1] == ':') || strchr(name, '\\')) {
        return "a member's name is an absolute path or has a backslash";
    }
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        if (*c < 32 || *c == 127 || (*c == 0xC2 && c[1] < 0xA0)) { /* C0, DEL and C1 */
            return "a member's name has control characters";
        }
    }
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2])) {
            return "a member's name leads out of its folder (\"..\")";
        }
    }
    return NULL;
}

static bool check_member(const char *path, const zip_stat_t *stat, struct error *error)
{
    const zip_uint64_t all = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    const char *fault = fault_of_name(stat->valid & ZIP_STAT_NAME ? stat->name : NULL);
    if (fault) {
        return error_set(error, "%s: %s", path, fault);
    }
    if ((stat->valid & all) != all) {
        return error_set(error, "%s: it does not tell the size of its member %.200s", path, stat->name);
    }
    if (stat->valid & ZIP_STAT_ENCRYPTION_METHOD && stat->encryption_method != ZIP_EM_NONE) {
        return error_set(error, "%s: its member %.200s is encrypted; unpack it and pack it without", path,
                         stat->name);
    }
    if (stat->comp_method != ZIP_CM_STORE && stat->comp_method != ZIP_CM_DEFLATE) {
        return error_set(error,
                         "%s: its member %.200s has compression %u (%s); stored and deflated ones are read",
                         path, stat->name, (unsigned)stat->comp_method, compression_name(stat->comp_method));
    }
    bool reached = stat->comp_method == ZIP_CM_STORE ? stat->size == stat->comp_size
                                                     : stat->size / DEFLATE_MOST <= stat->comp_size;
    return reached ||
           error_set(error, "%s: its member %.200s claims %llu bytes, which its %llu in the file cannot hold",
                     path, stat->name, (unsigned long long)stat->size, (unsigned long long)stat->comp_size);
}

static int by_name(const void *a, const void *b)
{
    const struct archive_member *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static bool check_names(const struct archive *archive, struct error *error)
{
    const struct archive_member **sorted = calloc((size_t)archive->members + 1, sizeof *sorted);
    bool good = sorted || error_set(error, "%s: out of memory", archive->path);
    for (int i = 0; good && i < archive->members; i++) {
        sorted[i] = &archive->member[i];
    }
    if (good) {
        qsort(sorted, (size_t)archive->members, sizeof *sorted, by_name);
    }
    for (int i = 1; good && i < archive->members; i++) {
        good = strcmp(sorted[i - 1]->name, sorted[i]->name) != 0 ||
               error_set(error, "%s: its member %.200s stands there twice", archive->path, sorted[i]->name);
    }
    free(sorted);
    return good;
}

static bool take_members(struct archive *archive, uint64_t file_bytes, struct error *error)
{
    zip_int64_t count = zip_get_num_entries(archive->zip, 0);
    uint64_t packed = 0;
    if (count < 0 || count > INT32_MAX / 2) {
        return error_set(error, "%s: it has too many members", archive->path);
    }
    archive->member = calloc((size_t)count + 1, sizeof *archive->member);
    if (!archive->member) {
        return error_set(error, "%s: out of memory", archive->path);
    }
    for (int i = 0; i < (int)count; i++) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        if (zip_stat_index(archive->zip, (zip_uint64_t)i, 0, &stat) != 0) {
            return error_set(error, "%s: member %d cannot be found: %s", archive->path, i,
                             zip_strerror(archive->zip));
        }
        if (!check_member(archive->path, &stat, error)) {
            return false;
        }
        if (stat.comp_size > file_bytes || (packed += stat.comp_size) > file_bytes) {
            return error_set(error, "%s: its members claim more bytes of the file than there are",
                             archive->path);
        }
        archive->member[archive->members++] = (struct archive_member){.name = stat.name, .size = stat.size};
    }
    return check_names(archive, error);
}

/* --- reading */

struct archive *archive_open(const char *path, struct error *error)
{
    struct stat status;
    FILE *file = input_open(path, error);
    if (!file) {
        return NULL;
    }
    fclose(file);
    if (stat(path, &status) != 0) {
        error_set(error, "%s: %s", path, strerror(errno));
        return NULL;
    }
    struct archive *archive = calloc(1, sizeof *archive);
    int code = 0;
    if (!archive || !(archive->path = strdup(path))) {
        error_set(error, "%s: out of memory", path);
        archive_close(&archive);
        return NULL;
    }
    archive->zip = zip_open(path, ZIP_RDONLY, &code);
    if (!archive->zip) {
        zip_error_t why;
        zip_error_init_with_code(&why, code);
        error_set(error, "%s: it cannot be read as a zip archive: %s", path, zip_error_strerror(&why));
        zip_error_fini(&why);
    }
    if (!archive->zip || !take_members(archive, (uint64_t)status.st_size, error)) {
        archive_close(&archive);
    }
    return archive;
}

int archive_count(const struct archive *archive)
{
    return archive->members;
}

const struct archive_member *archive_member(const struct archive *archive, int i)
{
    return &archive->member[i];
}

int archive_find(const struct archive *archive, const char *name)
{
    for (int i = 0; i < archive->members; i++) {
        if (strcmp(archive->member[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void archive_close(struct archive **archive)
{
    if (*archive) {
        if ((*archive)->zip) {
            zip_discard((*archive)->zip);
        }
        free((*archive)->member);
        free((*archive)->path);
        free(*archive);
        *archive = NULL;
    }
}

/* Reads until `size` bytes are there or the member ends; sets *got. */
static bool fill(zip_file_t *file, unsigned char *bytes, uint64_t size, uint64_t *got)
{
    zip_int64_t more = 1;
    for (*got = 0; more > 0 && *got<size; *got += more> 0 ? (uint64_t)more : 0) {
        more = zip_fread(file, bytes + *got, size - *got);
    }
    return more >= 0;
}

static bool fault(const struct archive *archive, int i, const char *what, struct error *error)
{
    return error_set(error, "%s: its member %.200s %s", archive->path, archive->member[i].name, what);
}

bool archive_peek(struct archive *archive, int i, void *bytes, size_t size, size_t *got, struct error *error)
{
    uint64_t read = 0;
    zip_file_t *file = zip_fopen_index(archive->zip, (zip_uint64_t)i, 0);
    bool good = file && fill(file, bytes, size, &read);
    if (!good) {
        fault(archive, i, file ? zip_file_strerror(file) : zip_strerror(archive->zip), error);
    }
    if (file) {
        zip_fclose(file);
    }
    *got = (size_t)read;
    return good;
}

bool archive_read(struct archive *archive, int i, uint64_t limit, unsigned char **bytes, struct error *error)
{
    const uint64_t size = archive->member[i].size;
    unsigned char beyond;
    uint64_t got = 0, more = 0;
    *bytes = NULL;
    if (size > limit || size >= SIZE_MAX) {
        return error_set(error, "%s: its member %.200s has %llu bytes, more than %llu", archive->path,
                         archive->member[i].name, (unsigned long long)size, (unsigned long long)limit);
    }
    *bytes = malloc((size_t)size + 1);
    if (!*bytes) {
        return fault(archive, i, "does not fit in memory", error);
    }
    zip_file_t *file = zip_fopen_index(archive->zip, (zip_uint64_t)i, 0);
    /* reading to the end checks the checksum */
    bool good = file && fill(file, *bytes, size, &got) && fill(file, &beyond, 1, &more);
    if (!good) {
        char why[200];
        snprintf(why, sizeof why, "is damaged: %s",
                 file ? zip_file_strerror(file) : zip_strerror(archive->zip));
        fault(archive, i, why, error);
    } else if (got != size || more) {
        good = fault(archive, i, got != size ? "is shorter than declared" : "is longer than declared", error);
    }
    if (file) {
        zip_fclose(file);
    }
    if (!good) {
        free(*bytes);
        *bytes = NULL;
    } else {
        (*bytes)[size] = 0;
    }
    return good;
}

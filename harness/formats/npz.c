/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/archive.h"
#include "harness/formats/collection_parts.h"
#include "harness/formats/npy.h"

#include <stdlib.h>
#include <string.h>

/* The format of numpy.savez: a zip archive of .npy files. The archive and the member's own header both
 * declare its size; data beyond the header are inflated only if both agree. */

static bool describe(struct collection *collection, int i, struct collection_entry *entry,
                     unsigned char *start, struct error *error)
{
    const struct archive_member *member = archive_member(collection->archive, i);
    size_t length = strlen(member->name), got = 0;
    struct npy_layout layout;
    struct error why = {.text = ""};
    bool array = length > 4 && strcmp(member->name + length - 4, ".npy") == 0;
    entry->name = strndup(member->name, array ? length - 4 : length);
    bool good = array || error_set(&why, "it is no .npy member, so no array");
    good = good && archive_peek(collection->archive, i, start, NPY_START, &got, &why) &&
           npy_describe(start, got, "", &layout, &why);
    if (good) {
        uint64_t promised = (uint64_t)shape_bytes(&layout.shape, layout.dtype);
        entry->dtype = layout.dtype;
        entry->shape = layout.shape;
        entry->fortran = layout.fortran;
        entry->at = (int64_t)layout.data;
        entry->bytes = (int64_t)promised;
        if (member->size != promised + layout.data) {
            good = error_set(&why, "the archive declares %llu bytes of it, its header %llu",
                             (unsigned long long)member->size, (unsigned long long)(promised + layout.data));
        }
    }
    /* the message without the empty name before it */
    const char *fault = strncmp(why.text, ": ", 2) == 0 ? why.text + 2 : why.text;
    entry->fault = good ? NULL : strdup(fault);
    return (entry->name && (good || entry->fault)) || error_set(error, "%s: out of memory", collection->path);
}

bool npz_open(struct collection *collection, struct error *error)
{
    collection->ordered = true;
    collection->archive = archive_open(collection->path, error);
    if (!collection->archive) {
        return false;
    }
    int members = archive_count(collection->archive);
    unsigned char *start = malloc(NPY_START);
    collection->entry = calloc((size_t)members + 1, sizeof *collection->entry);
    bool good = (start && collection->entry) || error_set(error, "%s: out of memory", collection->path);
    for (int i = 0; good && i < members; i++) {
        collection->count++;
        good = describe(collection, i, &collection->entry[i], start, error);
    }
    free(start);
    return good;
}

bool npz_read(struct collection *collection, const struct collection_entry *entry, struct tensor *tensor,
              struct error *error)
{
    unsigned char *bytes;
    int i = (int)(entry - collection->entry); /* entries and members have the same order */
    const struct npy_layout layout = {
        .dtype = entry->dtype, .shape = entry->shape, .fortran = entry->fortran, .data = (size_t)entry->at};
    if (!archive_read(collection->archive, i, (uint64_t)(entry->at + entry->bytes), &bytes, error)) {
        return false;
    }
    bool good =
        npy_take(&layout, bytes, tensor) || error_set(error, "%s:%s: its %lld bytes do not fit in memory",
                                                      collection->path, entry->name, (long long)entry->bytes);
    free(bytes);
    return good;
}

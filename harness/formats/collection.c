/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/archive.h"
#include "harness/formats/collection_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const endings[] = {".npz", ".safetensors"};

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

bool collection_split(const char *text, char *path, size_t size, const char **name)
{
    const char *cut = NULL;
    for (size_t e = 0; e < 2; e++) {
        char marked[24];
        const char *at;
        /* an existing file, whatever colons its name has */
        if (ends_with(text, endings[e]) && access(text, F_OK) == 0) {
            *name = NULL;
            return (size_t)snprintf(path, size, "%s", text) < size;
        }
        snprintf(marked, sizeof marked, "%s:", endings[e]);
        at = strstr(text, marked);
        at = at ? at + strlen(endings[e]) : ends_with(text, endings[e]) ? text + strlen(text) : NULL;
        cut = at && (!cut || at < cut) ? at : cut;
    }
    if (!cut || (size_t)(cut - text) >= size) {
        return false;
    }
    memcpy(path, text, (size_t)(cut - text));
    path[cut - text] = 0;
    *name = *cut ? cut + 1 : NULL;
    return true;
}

bool collection_open(struct collection *collection, const char *path, struct error *error)
{
    *collection = (struct collection){.path = path};
    return ends_with(path, endings[0]) ? npz_open(collection, error) : safetensors_open(collection, error);
}

void collection_close(struct collection *collection)
{
    for (int i = 0; i < collection->count; i++) {
        free(collection->entry[i].name);
        free(collection->entry[i].fault);
    }
    free(collection->entry);
    archive_close(&collection->archive);
    if (collection->file) {
        fclose(collection->file);
    }
    *collection = (struct collection){.path = NULL};
}

int collection_find(const struct collection *collection, const char *name)
{
    for (int i = 0; i < collection->count; i++) {
        if (strcmp(collection->entry[i].name, name) == 0) {
            return i;
        }
    }
    size_t length = strlen(name);
    char *stem = collection->archive && ends_with(name, ".npy") ? strndup(name, length - 4) : NULL;
    int found = stem ? collection_find(collection, stem) : -1;
    free(stem);
    return found;
}

bool collection_read(struct collection *collection, int i, struct tensor *tensor, struct error *error)
{
    const struct collection_entry *entry = &collection->entry[i];
    char name[201];
    *tensor = (struct tensor){.data = NULL};
    if (entry->fault) {
        return error_set(error, "%s:%s: %s", collection->path, collection_printable(entry->name, name),
                         entry->fault);
    }
    int64_t memory = count_product(sysconf(_SC_PHYS_PAGES), sysconf(_SC_PAGESIZE));
    if (entry->bytes > memory) {
        return error_set(error, "%s:%s: its %lld bytes are more than this machine's memory of %lld",
                         collection->path, collection_printable(entry->name, name), (long long)entry->bytes,
                         (long long)memory);
    }
    return collection->archive ? npz_read(collection, entry, tensor, error)
                               : safetensors_read(collection, entry, tensor, error);
}

void collection_list(const struct collection *collection, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < collection->count; i++) {
        const struct collection_entry *entry = &collection->entry[i];
        char shape[SHAPE_TEXT] = "", name[201], line[SHAPE_TEXT + 240];
        if (!entry->fault) {
            shape_print(&entry->shape, shape, sizeof shape);
        }
        int length = snprintf(
            line, sizeof line, "%s%s %s%s%s", i ? ", " : "", collection_printable(entry->name, name),
            entry->fault ? "(unreadable)" : dtype_info(entry->dtype)->name, entry->fault ? "" : " ", shape);
        if (used + (size_t)length + sizeof ", …" > size) {
            snprintf(text + used, size - used, "%s…", i ? ", " : "");
            return;
        }
        memcpy(text + used, line, (size_t)length + 1);
        used += (size_t)length;
    }
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/environment.h"

#include "harness/host/platform.h"
#include "harness/host/processors.h"
#include "harness/host/version.h"
#include "reference/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Names of variables, or prefixes where they end in '*'. No other variable is recorded: it may hold secrets.
 */
static const char *const shown[] = {
    "VK_ICD_FILENAMES",
    "VK_DRIVER_FILES",
    "VK_ADD_DRIVER_FILES",
    "VK_LOADER_*",
    "VK_INSTANCE_LAYERS",
    "VK_LAYER_PATH",
    "LP_*",
    "MESA_*",
    "GALLIUM_*",
    "LIBGL_ALWAYS_SOFTWARE",
    "NVIDIA_VISIBLE_*",
    "CUDA_VISIBLE_*",
    "RADV_*",
    "AMD_VULKAN_ICD",
    "ANV_*",
    "MVK_CONFIG_*",
    "XDG_CACHE_HOME",
    "OMP_NUM_THREADS",
    "DISABLE_LAYER_*",
    "ENABLE_LAYER_*",
};

static bool is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        size_t known = strlen(shown[i]);
        if (shown[i][known - 1] == '*' ? length >= known && !memcmp(name, shown[i], known - 1)
                                       : length == known && !memcmp(name, shown[i], known)) {
            return true;
        }
    }
    return false;
}

static void add_pair(struct record_pair **pairs, int *count, const char *name, size_t length,
                     const char *value)
{
    struct record_pair *grown = realloc(*pairs, ((size_t)*count + 1) * sizeof *grown);
    if (!grown) {
        return;
    }
    *pairs = grown;
    grown[*count] =
        (struct record_pair){.name = memory_format("%.*s", (int)length, name), .value = memory_text(value)};
    if (grown[*count].name && grown[*count].value) {
        ++*count;
    } else {
        free(grown[*count].name);
        free(grown[*count].value);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct record_pair *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64" */
static char *describe_os(void)
{
    char pretty[256] = "", line[512], text[768];
    FILE *file = fopen("/etc/os-release", "re");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "PRETTY_NAME=", 12) == 0) {
            char *from = line + 12 + (line[12] == '"');
            snprintf(pretty, sizeof pretty, "%.*s, ", (int)strcspn(from, "\"\n"), from);
        }
    }
    if (file) {
        fclose(file);
    }
    struct utsname name;
    if (uname(&name) != 0) {
        return NULL;
    }
    snprintf(text, sizeof text, "%s%s %s %s", pretty, name.sysname, name.release, name.machine);
    return memory_text(text);
}

static char *describe_cpu(void)
{
    char model[256], text[320];
    if (!platform_processor(model, sizeof model)) {
        snprintf(model, sizeof model, "unknown CPU");
    }
    const long all = sysconf(_SC_NPROCESSORS_ONLN), usable = processors_usable();
    int length = snprintf(text, sizeof text, "%s, %ld threads", model, all);
    if (usable < all) {
        snprintf(text + length, sizeof text - (size_t)length, ", %ld of them usable", usable);
    }
    return memory_text(text);
}

void environment_host(struct record_header *header)
{
    header->version = RECORD_VERSION;
    header->assay = memory_text(version_number());
    header->commit = memory_text(version_commit());
    header->reference = memory_text(truth_digest_of_sources);
    char started[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    header->started = memory_text(started);
    header->os = describe_os();
    header->cpu = describe_cpu();
    header->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    for (char **variable = environ; variable && *variable; variable++) {
        size_t length = strcspn(*variable, "=");
        if (is_known(*variable, length) && (*variable)[length]) {
            add_pair(&header->environment, &header->environment_count, *variable, length,
                     *variable + length + 1);
        }
    }
    if (header->environment_count) {
        qsort(header->environment, (size_t)header->environment_count, sizeof *header->environment, by_name);
    }
}

static void add_profile(struct record_header *header, const char *what, const char *dtype, const char *value)
{
    char name[96];
    snprintf(name, sizeof name, "%s%s%s", what, dtype ? "." : "", dtype ? dtype : "");
    add_pair(&header->profile, &header->profile_count, name, strlen(name), value);
}

static const char *const nan_words[] = {"nan", "zero"}, *const zero_words[] = {"kept", "positive", "open"};

/* One entry where all floating dtypes have the same convention, else one per dtype. */
static void add_conventions(struct record_header *header, const struct profile *profile)
{
    bool same = true;
    for (int d = 0; d < DTYPE_COUNT; d++) {
        bool floating = dtype_is_floating((enum dtype)d);
        same = same && (!floating || (profile->sgn_nan[d] == profile->sgn_nan[DTYPE_FLOAT32] &&
                                      profile->sgn_zero[d] == profile->sgn_zero[DTYPE_FLOAT32]));
    }
    for (int d = 0; d < DTYPE_COUNT; d++) {
        const char *name = same ? NULL : dtype_info((enum dtype)d)->name;
        if (same ? d == DTYPE_FLOAT32 : dtype_is_floating((enum dtype)d)) {
            add_profile(header, "sgn_nan", name, nan_words[profile->sgn_nan[d]]);
            add_profile(header, "sgn_zero", name, zero_words[profile->sgn_zero[d]]);
        }
    }
}

/* Joins names, however many, in one value. */
static void add_names(struct record_header *header, const char *what, const char *const *names,
                      const char *otherwise)
{
    size_t size = 1;
    for (int i = 0; names && names[i]; i++) {
        size += strlen(names[i]) * 4 + 8; /* a quote takes four */
    }
    char *list = calloc(1, size);
    for (int i = 0; list && names && names[i]; i++) {
        environment_quote(list, size, names[i]);
    }
    if (list && (list[0] || otherwise)) {
        add_profile(header, what, NULL, list[0] ? list : otherwise);
    }
    free(list);
}

static void add_summation(struct record_header *header, const char *operator_name,
                          struct summation_order order)
{
    static const char *const words[] = {"undeclared", "declared", "recursive", "pairwise", "blocked"};
    char text[48];
    snprintf(text, sizeof text, "%s", words[order.kind]);
    if (order.kind == SUMMATION_BLOCKED) {
        snprintf(text, sizeof text, "blocked:%lld", (long long)order.size);
    }
    add_profile(header, "summation", operator_name, text);
}

static void add_operators(struct record_header *header, const struct profile *profile)
{
    add_names(header, "nondeterministic", profile->nondeterministic, "none");
    add_names(header, "accumulate_own", profile->accumulate_own, NULL);
    add_names(header, "matrix_units", profile->matrix_units, NULL);
    add_summation(header, NULL,
                  (struct summation_order){.kind = profile->summation, .size = profile->summation_size});
    for (const struct operator_summation *s = profile->summations; s && s->operator_name; s++) {
        add_summation(header, s->operator_name, s->order);
    }
    for (const struct operator_algorithm *a = profile->algorithms; a && a->operator_name; a++) {
        char text[48];
        const bool winograd = a->winograd > 0;
        snprintf(text, sizeof text, "%s:%lld", winograd ? "winograd" : "fast",
                 winograd ? (long long)a->winograd : (long long)a->crossover);
        add_profile(header, "algorithm", a->operator_name, text);
    }
}

void environment_device(struct record_header *header, const struct backend_info *info)
{
    const struct profile *profile = &info->profile;
    header->device = memory_text(info->device);
    header->driver = memory_text(info->driver);
    header->api = memory_text(info->api);
    header->device_memory_bytes = info->memory_bytes;
    for (int d = 0; d < DTYPE_COUNT; d++) {
        const struct dtype_info *dtype = dtype_info((enum dtype)d);
        if (dtype->kind != KIND_FLOAT) {
            continue;
        }
        add_profile(header, "rounding", dtype->name, profile->rounding[d] == ROUNDING_RTE ? "rte" : "open");
        add_profile(header, "subnormals", dtype->name,
                    profile->subnormals[d] == SUBNORMALS_KEPT ? "kept" : "may flush");
        add_profile(header, "special_values", dtype->name, profile->special_values[d] ? "kept" : "open");
        add_profile(header, "accumulate", dtype->name, dtype_info(profile->accumulate[d])->name);
        if (profile->attention_probabilities[d] != (enum dtype)d) {
            add_profile(header, "attention_probabilities", dtype->name,
                        dtype_info(profile->attention_probabilities[d])->name);
        }
    }
    add_profile(header, "primitives", NULL, primitives_name(profile->primitives));
    add_profile(header, "invariance", NULL, profile->invariance == INVARIANCE_BITS ? "bits" : "bound");
    add_names(header, "range", profile->naive_range, "safe");
    add_names(header, "documented_forms", profile->documented, "none");
    add_profile(header, "refusals", NULL, profile->refusals == REFUSALS_PYTORCH ? "pytorch" : "open");
    add_profile(header, "attributes", NULL, profile->attributes_float32 ? "float32" : "float64");
    add_profile(header, "default_eps", NULL, profile->epsilon_float32 ? "float32" : "dtype");
    add_profile(header, "conversions", NULL, profile->conversions_via_float32 ? "via-float32" : "direct");
    add_profile(header, "slogdet_nan_sign", NULL,
                profile->slogdet_nan_sign == SLOGDET_NAN_SIGN_NAN ? "nan" : "number");
    static const char *const rows[] = {[ATTENTION_EMPTY_ROW_OPEN] = "open",
                                       [ATTENTION_EMPTY_ROW_ZERO] = "zero",
                                       [ATTENTION_EMPTY_ROW_NAN] = "nan"};
    add_profile(header, "attention_empty_row", NULL, rows[profile->attention_empty_row]);
    add_profile(header, "ties", NULL, profile->ties == TIES_ANY ? "any" : "first");
    add_profile(header, "padding", NULL, padding_name(profile->padding));
    add_conventions(header, profile);
    add_operators(header, profile);
    add_profile(header, "operands", NULL,
                info->returns_operands ? "returned" : "not returned: one that is overwritten goes unseen");
    header->offers = info->offers ? strdup(info->offers) : NULL;
}

void environment_quote(char *text, size_t size, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=,+:@%^";
    size_t used = strlen(text);
    bool quote = !*word || word[strspn(word, plain)];
    const char *parts[] = {used ? " " : "", quote ? "'" : ""};
    for (int i = 0; i < 2; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s", parts[i]);
        used = used < size ? used : size - 1;
    }
    for (; *word && used + 6 < size; word++) {
        if (*word == '\'') {
            used += (size_t)snprintf(text + used, size - used, "'\\''");
        } else {
            text[used++] = *word;
        }
    }
    if (quote && used + 1 < size) {
        text[used++] = '\'';
    }
    text[used] = 0;
}

char *environment_command(int argc, char **argv)
{
    size_t size = 16;
    for (int i = 0; i < argc; i++) {
        size += strlen(argv[i]) * 4 + 8; /* a quote takes four */
    }
    char *text = calloc(1, size);
    if (text) {
        environment_quote(text, size, "assay");
        for (int i = 0; i < argc; i++) {
            environment_quote(text, size, argv[i]);
        }
    }
    return text;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/float_controls.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x07230203, HEADER = 5 };
enum { OP_EXTENSION = 10, OP_ENTRY_POINT = 15, OP_EXECUTION_MODE = 16, OP_CAPABILITY = 17 };
enum { OP_TYPE_FLOAT = 22, OP_EXECUTION_MODE_ID = 331 };
enum { CAPABILITY_DENORM_PRESERVE = 4464, CAPABILITY_PRESERVE = 4466, CAPABILITY_RTE = 4467 };
enum { MODE_DENORM_PRESERVE = 4459, MODE_PRESERVE = 4461, MODE_RTE = 4462 };
enum { VERSION_1_4 = 0x00010400 };

unsigned vk_float_widths(const uint32_t *words, size_t count)
{
    unsigned widths = 0;
    for (size_t i = HEADER; i < count && words[i] >> 16; i += words[i] >> 16) {
        if ((words[i] & 0xffff) == OP_TYPE_FLOAT) {
            widths |= words[i + 2] == 16 ? VK_WIDTH_16 : words[i + 2] == 32 ? VK_WIDTH_32 : VK_WIDTH_64;
        }
    }
    return widths;
}

unsigned vk_float_settable(unsigned used, unsigned offered, enum vk_independence independence)
{
    const unsigned tied = independence == VK_INDEPENDENCE_ALL       ? 0
                          : independence == VK_INDEPENDENCE_32_ONLY ? VK_WIDTH_16 | VK_WIDTH_64
                                                                    : VK_WIDTH_16 | VK_WIDTH_32 | VK_WIDTH_64;
    unsigned set = used & offered;
    if ((set & tied) != (used & tied)) {
        set &= ~tied;
    }
    return set;
}

/* The word index at which each section of a module ends (SPIR-V 1.5 §2.4): capabilities, extensions, entry
 * points with their execution modes (0: no entry point); and the id of the last entry point. */
struct places {
    size_t capabilities, extensions, modes;
    uint32_t entry;
};

static struct places places_find(const uint32_t *words, size_t count)
{
    struct places p = {.capabilities = HEADER, .extensions = HEADER};
    for (size_t i = HEADER; i < count && words[i] >> 16; i += words[i] >> 16) {
        size_t end = i + (words[i] >> 16);
        switch (words[i] & 0xffff) {
        case OP_CAPABILITY:
            p.capabilities = p.extensions = end;
            break;
        case OP_EXTENSION:
            p.extensions = end;
            break;
        case OP_ENTRY_POINT:
            p.entry = words[i + 2];
            p.modes = end;
            break;
        case OP_EXECUTION_MODE:
        case OP_EXECUTION_MODE_ID:
            p.modes = end;
            break;
        default:
            break;
        }
    }
    return p;
}

static size_t put_mode(uint32_t *out, uint32_t entry, uint32_t mode, unsigned widths)
{
    size_t n = 0;
    for (unsigned bit = 0; bit < 3; bit++) {
        if (widths >> bit & 1) {
            const uint32_t line[] = {4u << 16 | OP_EXECUTION_MODE, entry, mode, 16u << bit};
            memcpy(out + n, line, sizeof line);
            n += 4;
        }
    }
    return n;
}

static size_t put_capability(uint32_t *out, uint32_t capability, unsigned widths)
{
    if (!widths) {
        return 0;
    }
    out[0] = 2u << 16 | OP_CAPABILITY;
    out[1] = capability;
    return 2;
}

static size_t put_extension(uint32_t *out)
{
    static const char name[24] = "SPV_KHR_float_controls"; /* zero-padded to whole words */
    out[0] = (uint32_t)(1 + sizeof name / 4) << 16 | OP_EXTENSION;
    memcpy(out + 1, name, sizeof name);
    return 1 + sizeof name / 4;
}

uint32_t *vk_float_controls_patch(const uint32_t *words, size_t count,
                                  const struct vk_float_controls *offered, size_t *patched_count)
{
    if (count < HEADER || words[0] != MAGIC) {
        return NULL;
    }
    const unsigned used = vk_float_widths(words, count);
    const unsigned rte = vk_float_settable(used, offered->rounding_rte, offered->rounding_independence);
    const unsigned denorm = vk_float_settable(used, offered->denorm_preserve, offered->denorm_independence);
    const unsigned preserve = used & offered->preserve; /* the widths are independent for this mode */
    const struct places at = places_find(words, count);
    if (!at.modes) {
        return NULL;
    }
    uint32_t *out = malloc((count + 3 * 2 + 7 + 9 * 4) * sizeof *out);
    if (!out) {
        return NULL;
    }
    size_t n = at.capabilities;
    memcpy(out, words, n * sizeof *out);
    n += put_capability(out + n, CAPABILITY_RTE, rte);
    n += put_capability(out + n, CAPABILITY_PRESERVE, preserve);
    n += put_capability(out + n, CAPABILITY_DENORM_PRESERVE, denorm);
    memcpy(out + n, words + at.capabilities, (at.extensions - at.capabilities) * sizeof *out);
    n += at.extensions - at.capabilities;
    if (words[1] < VERSION_1_4 && (rte | preserve | denorm)) {
        n += put_extension(out + n);
    }
    memcpy(out + n, words + at.extensions, (at.modes - at.extensions) * sizeof *out);
    n += at.modes - at.extensions;
    n += put_mode(out + n, at.entry, MODE_RTE, rte);
    n += put_mode(out + n, at.entry, MODE_PRESERVE, preserve);
    n += put_mode(out + n, at.entry, MODE_DENORM_PRESERVE, denorm);
    memcpy(out + n, words + at.modes, (count - at.modes) * sizeof *out);
    *patched_count = n + count - at.modes;
    return out;
}

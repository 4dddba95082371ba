/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every embedded shader, patched for a device that offers everything, is valid SPIR-V with every mode on
 * every width that it uses, and contracts nothing. Needs spirv-val and spirv-dis (SPIRV-Tools). */

#include "kernels/vulkan/float_controls.h"
#include "kernels/vulkan/internal.h"
#include "kernels/vulkan/shaders.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct vk_float_controls everything = {.rounding_rte = 7,
                                                    .preserve = 7,
                                                    .denorm_preserve = 7,
                                                    .rounding_independence = VK_INDEPENDENCE_ALL,
                                                    .denorm_independence = VK_INDEPENDENCE_ALL};

/* The disassembly of a module (malloc), after spirv-val found it valid. */
static char *disassemble(const uint32_t *words, size_t count, bool validate)
{
    char path[] = "/tmp/assay-spirv-XXXXXX", command[128];
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, words, count * 4) == (ssize_t)(count * 4));
    close(fd);
    if (validate) {
        snprintf(command, sizeof command, "spirv-val --target-env vulkan1.2 %s 2>&1", path);
        cr_assert_eq(system(command), 0, "%s", command);
    }
    snprintf(command, sizeof command, "spirv-dis --raw-id --no-color %s", path);
    FILE *pipe = popen(command, "r");
    size_t size = 1 << 20, used;
    char *text = malloc(size);
    cr_assert(pipe && text);
    used = fread(text, 1, size - 1, pipe);
    text[used] = '\0';
    cr_assert_eq(pclose(pipe), 0, "%s", command);
    unlink(path);
    return text;
}

ParameterizedTestParameters(vk_float_controls, every_module)
{
    static int index[64];
    int sets = 0;
    for (; vk_shader_sets[sets]; sets++) {
        index[sets] = sets;
    }
    cr_assert_lt(sets, 64);
    return cr_make_param_array(int, index, (size_t)sets);
}

static void check_modes(const char *name, const char *text, unsigned widths)
{
    static const char *const modes[] = {"RoundingModeRTE", "SignedZeroInfNanPreserve", "DenormPreserve"};
    for (int m = 0; m < 3; m++) {
        for (unsigned w = 0; w < 3; w++) {
            char line[64];
            snprintf(line, sizeof line, "%s %u\n", modes[m], 16u << w);
            cr_expect_eq(strstr(text, line) != NULL, (widths >> w & 1) != 0, "%s: %s", name, line);
        }
    }
}

static void check_contraction(const char *name, const char *text)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char id[16], op[32], decoration[48];
        if (sscanf(line, " %15s = %31s", id, op) != 2 ||
            (strcmp(op, "OpFAdd") != 0 && strcmp(op, "OpFSub") != 0 && strcmp(op, "OpFMul") != 0 &&
             strcmp(op, "OpFDiv") != 0)) {
            continue;
        }
        snprintf(decoration, sizeof decoration, "OpDecorate %s NoContraction\n", id);
        cr_expect(strstr(text, decoration), "%s: %s %s may be contracted", name, id, op);
    }
}

static void check_module(const struct vk_shader *shader)
{
    size_t count = 0;
    uint32_t *patched = vk_float_controls_patch(shader->words, shader->count, &everything, &count);
    cr_assert(patched);
    char *text = disassemble(patched, count, true);
    unsigned widths = vk_float_widths(shader->words, shader->count);
    cr_expect_eq(strstr(text, "OpTypeFloat 32\n") != NULL, (widths & VK_WIDTH_32) != 0);
    cr_expect_eq(strstr(text, "OpTypeFloat 64\n") != NULL, (widths & VK_WIDTH_64) != 0);
    check_modes(shader->name, text, widths);
    check_contraction(shader->name, text);
    free(text);
    free(patched);
}

ParameterizedTest(int *index, vk_float_controls, every_module)
{
    const struct vk_shader_set *set = vk_shader_sets[*index];
    cr_assert_gt(set->count, 0, "%s has no variant", set->stem);
    for (int i = 0; i < set->count; i++) {
        check_module(&set->shader[i]);
    }
}

static const struct vk_shader *named(const char *name)
{
    const struct vk_shader *shader = vk_shader_find(name);
    cr_assert(shader, "no shader %s", name);
    return shader;
}

Test(vk_float_controls, a_device_that_offers_nothing_changes_nothing)
{
    const struct vk_shader *shader = named("logdet.small_float64");
    size_t count = 0;
    uint32_t *patched =
        vk_float_controls_patch(shader->words, shader->count, &(struct vk_float_controls){0}, &count);
    cr_assert_eq(count, shader->count);
    cr_assert_eq(memcmp(patched, shader->words, count * 4), 0);
    free(patched);
}

Test(vk_float_controls, older_modules_get_the_extension)
{
    const struct vk_shader *shader = named("inplace.float32");
    size_t count = 0;
    uint32_t *words = malloc(shader->count * 4);
    memcpy(words, shader->words, shader->count * 4);
    words[1] = 0x00010300;
    uint32_t *patched = vk_float_controls_patch(words, shader->count, &everything, &count);
    char *text = disassemble(patched, count, false);
    cr_expect(strstr(text, "OpExtension \"SPV_KHR_float_controls\"\n"));
    free(text);
    free(patched);
    free(words);
}

Test(vk_float_controls, garbage_is_refused)
{
    const uint32_t words[8] = {0};
    size_t count;
    cr_assert_null(vk_float_controls_patch(words, 8, &everything, &count));
    cr_assert_null(vk_float_controls_patch(words, 3, &everything, &count));
}

Test(vk_float_controls, tied_widths_are_set_together)
{
    const unsigned w16 = VK_WIDTH_16, w32 = VK_WIDTH_32, w64 = VK_WIDTH_64;
    cr_expect_eq(vk_float_settable(w32 | w64, w32, VK_INDEPENDENCE_ALL), w32);
    cr_expect_eq(vk_float_settable(w32 | w64, w32, VK_INDEPENDENCE_NONE), 0);
    cr_expect_eq(vk_float_settable(w32, w32, VK_INDEPENDENCE_NONE), w32);
    cr_expect_eq(vk_float_settable(w16 | w32 | w64, w16 | w32, VK_INDEPENDENCE_32_ONLY), w32);
    cr_expect_eq(vk_float_settable(w32 | w64, w32 | w64, VK_INDEPENDENCE_32_ONLY), w32 | w64);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/loader.h"

#include <dlfcn.h>
#include <stddef.h>

#define X(name) PFN_##name name;
VK_FUNCTIONS(X)
#undef X

#ifdef __APPLE__
static const char library_name[] = "libvulkan.1.dylib";
#else
static const char library_name[] = "libvulkan.so.1";
#endif

bool vk_loader_open(struct error *error)
{
    static void *library;
    if (library) {
        return true;
    }
    void *opened = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        const char *reason = dlerror();
        return error_set(error,
                         "Vulkan's loader cannot be loaded: %.200s; install it (Debian: libvulkan1) and a "
                         "driver, or choose another --backend",
                         reason ? reason : library_name);
    }
    const char *missing = NULL;
#define X(name)                                                                                              \
    *(void **)&name = dlsym(opened, #name);                                                                  \
    missing = name || missing ? missing : #name;
    VK_FUNCTIONS(X)
#undef X
    if (missing) {
        dlclose(opened);
        return error_set(error, "%s has no %s: assay needs a loader of Vulkan 1.2 or later", library_name,
                         missing);
    }
    library = opened;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_BACKEND_H
#define ASSAY_REFERENCE_PROGRAM_BACKEND_H

/* The contract of a backend: the one header of harness/ that others may include.
 *
 * A backend executes a program's steps on memory images that the harness prepares, and says what it promises
 * about its arithmetic. It is used by one thread of one worker process at a time; it may crash or hang, the
 * harness survives. Nothing here judges. */

#include "reference/program/program.h"

/* Every storage image has GUARD bytes before and after the storage's own bytes. A backend moves whole images
 * to the device and back, guards included, and addresses the storage at +GUARD. */
enum { BACKEND_GUARD = 256, BACKEND_OBJECTS_MAX = 16 };

struct backend_info {
    char name[64];         /* "vulkan", "cpu" */
    char device[256];      /* "llvmpipe (LLVM 15.0.6, 256 bits)" */
    char driver[256];      /* "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)" */
    char api[64];          /* "Vulkan 1.3.230" */
    uint64_t memory_bytes; /* of the device; 0 if unknown */
    struct profile profile;
    bool returns_operands; /* a run can bring back the operands that are only read: see backend_run */
    const char *offers;    /* what a program of the exec protocol implements, each operator with the dtypes of
                              its first input: "sgn:float32,float64 square:float32". NULL where every operator
                              of assay's registry may be asked. Owned by the backend */
    int greetings;         /* how often a program has said all this; 0: no program is behind the backend */
};

enum step_status {
    STEP_OK,
    STEP_REJECTED, /* operands that the operator must refuse */
    STEP_UNSUPPORTED,
    STEP_OUT_OF_MEMORY,
    STEP_ERROR, /* it could not answer, or answered out of form */
    STEP_NOT_RUN,
    STEP_CRASHED,  /* the program behind the backend died; it is started again for the next case */
    STEP_MISSHAPEN /* a wrong answer: another number of elements than the values of the indices make */
};

struct step_result {
    enum step_status status;
    char message[256]; /* why, unless OK */
};

struct backend_run {
    /* In: one image per storage, its bytes + 2·BACKEND_GUARD long. Out: what the device memory holds
     * afterwards. */
    unsigned char **image;
    /* In: whether a device that can may work on the images where they lie, those that are whole pages
     * (storage_pages of reference/program/program.h); else all are copied. */
    bool in_place;
    /* In: the operands that no step writes to are to come back, too, so that an overwritten one is seen. A
     * device whose whole memory comes back does so in any case; a program behind `exec:` where its greeting
     * offers it (backend_info.returns_operands). */
    bool return_operands;
    /* Out: one result per step. The first step that is not OK or REJECTED ends the program; the rest are
     * NOT_RUN. */
    struct step_result *result;
    /* Out: time on the device for all steps, in nanoseconds; 0 if the backend cannot tell. */
    int64_t device_ns;
};

struct backend_memory {
    uint64_t allocated; /* bytes handed out to live buffers */
    uint64_t reserved;  /* bytes held from the device, cached ones included */
    uint64_t peak;      /* greatest `allocated` since the start */
    uint64_t limit;     /* bytes that may be reserved; 0 = no limit known */
    uint64_t budget;    /* device-local bytes of this process as the driver counts; 0 = it does not tell */
    int64_t process;    /* pid whose resident memory and descriptors belong to the backend; 0 = this one */
    int kinds;          /* of API objects that are counted; 0 = none */
    struct {
        const char *name; /* "VkFence"; lives as long as the backend */
        int64_t live;
    } kind[BACKEND_OBJECTS_MAX];
};

struct backend_options {
    const char *selector; /* what follows "NAME:", e.g. "1" or "llvmpipe"; NULL for the default */
    bool validate; /* load the validation layer with synchronisation validation; fail if it is missing */
    double memory_fraction; /* of the device's memory that may be reserved; 0 = the default */
};

struct backend;

struct backend_class {
    const char *name; /* what stands before ':' in --backend */
    const char *help; /* one line for `assay devices` and --help */

    /* Opens a device. NULL with a reason when it cannot be had. */
    struct backend *(*open)(const struct backend_options *options, struct error *error);
    void (*close)(struct backend **backend);

    void (*info)(const struct backend *backend, struct backend_info *info);

    /* Runs all steps. False only when the device itself is lost or memory for bookkeeping is missing. */
    bool (*run)(struct backend *backend, const struct program *program, struct backend_run *run,
                struct error *error);

    void (*memory)(struct backend *backend, struct backend_memory *memory);
    void (*empty_cache)(struct backend *backend);

    /* Bytes that may be reserved from now on; 0: as at the start. False where it cannot be set. May be NULL.
     */
    bool (*limit_memory)(struct backend *backend, uint64_t bytes);

    /* Messages of the validation layer since the last call (count; the first one's text). 0 without
     * validation. */
    int (*validation_messages)(struct backend *backend, char *text, size_t size);

    /* Prints what `assay devices` shows: every device of this class, or why there is none. May be NULL.
     * Returns the number of usable devices. */
    int (*list)(const struct backend_options *options);

    /* What sh is to run, where a program of docs/reference/exec-protocol.md is behind the backend; else NULL.
     */
    bool (*command)(const struct backend_options *options, char *command, size_t size, struct error *error);
};

#endif

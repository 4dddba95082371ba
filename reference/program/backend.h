/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_BACKEND_H
#define ASSAY_REFERENCE_PROGRAM_BACKEND_H

/* The contract between the harness and a backend, which kernels and harness share.
 *
 * A backend executes the steps of a program on memory images that the harness prepares, and declares what it
 * promises about its arithmetic (struct profile). One thread of one worker process uses it at a time. It may
 * crash or hang; the harness survives that. It judges nothing. */

#include "reference/program/program.h"

/* An image of a storage has BACKEND_GUARD bytes before and after the storage's own bytes. A backend moves
 * whole images to the device and back, guards included; the storage itself starts at offset BACKEND_GUARD. */
enum { BACKEND_GUARD = 256, BACKEND_OBJECTS_MAX = 16, BACKEND_ROUNDS_MAX = 15 };

struct backend_info {
    char name[64];         /* "vulkan", "cpu" */
    char device[256];      /* "llvmpipe (LLVM 15.0.6, 256 bits)" */
    char driver[256];      /* "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)" */
    char api[64];          /* "Vulkan 1.3.230" */
    uint64_t memory_bytes; /* memory of the device; 0 if unknown */
    struct profile profile;
    bool returns_operands; /* a run can return the operands that are only read: see backend_run */
    bool repeats;          /* a run honours backend_run.repeats, warm_up and rounds */
    /* What a program of the exec protocol implements: each operator with the dtypes of its first input, e.g.
     * "sgn:float32,float64 square:float32". NULL where any operator of assay's registry may be requested.
     * Owned by the backend. */
    const char *offers;
    /* How often a program has sent its greeting, which holds all this; 0: no program is behind the backend.
     */
    int greetings;
};

enum step_status {
    STEP_OK,
    STEP_REJECTED, /* the operator refuses its operands */
    STEP_UNSUPPORTED,
    STEP_OUT_OF_MEMORY,
    STEP_ERROR, /* the backend could not answer, or its answer was malformed */
    STEP_NOT_RUN,
    STEP_CRASHED,  /* the program behind the backend died; it is restarted for the next case */
    STEP_MISSHAPEN /* the result has another number of elements than the values of the indices require */
};

struct step_result {
    enum step_status status;
    char message[256]; /* the reason, unless OK */
};

struct backend_run {
    /* In: one image for each storage, its bytes + 2·BACKEND_GUARD long. Out: what the device memory holds
     * afterwards. */
    unsigned char **image;
    /* In: a device that can may work directly in those images that are whole pages (storage_pages of
     * reference/program/program.h). False: all images are copied. */
    bool in_place;
    /* In: return the operands that no step writes, too, so that an overwritten one is detected. A device
     * whose whole memory is read back always does so; a program behind `exec:` does if its greeting offers it
     * (backend_info.returns_operands). */
    bool return_operands;
    /* In: run the program `repeats` times in a row between two readings of the device's clock, after
     * `warm_up` runs before the first reading. 0 and 1: run it once. A program for which backend_may_repeat
     * returns false is run once, and so is every program on a backend without backend_info.repeats. A program
     * behind `exec:` that is run more than once returns no operands. `rounds`: so many times, at most
     * BACKEND_ROUNDS_MAX, all after one warm-up and with operands that are transferred once; 0 and 1: once.
     */
    int repeats, warm_up, rounds;
    /* Out: one result for each step. The first step that is not OK or REJECTED ends the program; the later
     * ones are NOT_RUN. */
    struct step_result *result;
    /* Out: time on the device for one run of all steps in nanoseconds: with `repeats`, the time between the
     * two readings divided by their number, and with `rounds` the median of these quotients (of an even
     * number of rounds the greater of the two in the middle). 0 if the backend cannot measure it. */
    int64_t device_ns;
};

/* Returns whether running the program twice leaves the same results as running it once: it has one step,
 * whose operator writes none of its operands. */
static inline bool backend_may_repeat(const struct program *program)
{
    return program->steps == 1 && !op_writes(program->step[0].op);
}

struct backend_memory {
    uint64_t allocated; /* bytes in live buffers */
    uint64_t reserved;  /* bytes reserved on the device, cached ones included */
    uint64_t peak;      /* greatest `allocated` since the start */
    uint64_t limit;     /* bytes that may be reserved; 0 = no limit known */
    uint64_t budget;    /* device-local bytes of this process as the driver counts them; 0 = unknown */
    int64_t process;    /* pid whose resident memory and descriptors belong to the backend; 0 = this one */
    int kinds;          /* number of kinds of API objects that are counted; 0 = none */
    struct {
        const char *name; /* e.g. "VkFence"; lives as long as the backend */
        int64_t live;
    } kind[BACKEND_OBJECTS_MAX];
};

struct backend_options {
    const char *selector; /* what follows "NAME:", e.g. "1" or "llvmpipe", or, with its sign, what follows
                             "NAME+"; NULL for the default */
    bool validate; /* load the validation layer with synchronisation validation; fail if it is missing */
    double memory_fraction; /* share of the device's memory that may be reserved; 0 = the default */
};

struct backend;

struct backend_class {
    const char *name; /* the word before ':' in --backend */
    const char *help; /* one line for `assay devices` and --help */

    /* Opens a device. Returns NULL with the reason if it cannot. */
    struct backend *(*open)(const struct backend_options *options, struct error *error);
    void (*close)(struct backend **backend);

    void (*info)(const struct backend *backend, struct backend_info *info);

    /* Runs all steps. Returns false only if the device is lost or memory for bookkeeping is missing. */
    bool (*run)(struct backend *backend, const struct program *program, struct backend_run *run,
                struct error *error);

    void (*memory)(struct backend *backend, struct backend_memory *memory);
    void (*empty_cache)(struct backend *backend);

    /* Limits the bytes that may be reserved from now on; 0 restores the limit of the start. Returns false if
     * it cannot be set. May be NULL. */
    bool (*limit_memory)(struct backend *backend, uint64_t bytes);

    /* Returns the number of messages of the validation layer since the last call, with the text of the first;
     * 0 without validation. */
    int (*validation_messages)(struct backend *backend, char *text, size_t size);

    /* Returns the names of the ways in which the steps of the last run were computed, such as "tiled", where
     * the class has several (`NAME+ROUTE` opens one of them); "" if none. Valid until the next call. NULL
     * where the class has one way. */
    const char *(*routes)(struct backend *backend);

    /* Measures how fast a kernel of the device copies `bytes` bytes: sets *rate to the bytes read and written
     * per second, 0 if the device cannot measure time. Returns false with the reason if it fails. May be
     * NULL. */
    bool (*copy_rate)(struct backend *backend, uint64_t bytes, double *rate, struct error *error);

    /* Prints what `assay devices` shows: every device of this class, or why there is none. Returns the number
     * of usable devices. May be NULL. */
    int (*list)(const struct backend_options *options);

    /* Fills the command that sh runs, where a program of docs/reference/exec-protocol.md is behind the
     * backend. NULL for other classes. */
    bool (*command)(const struct backend_options *options, char *command, size_t size, struct error *error);
};

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

bool output_make_parents(const char *path)
{
    return output_make_parents_as(path, 0777);
}

bool output_make_parents_as(const char *path, mode_t mode)
{
    char folder[PATH_MAX];
    if (!path[0] || (size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder) {
        return false;
    }
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(folder, mode) != 0 && errno != EEXIST) {
            return false;
        }
        *slash = '/';
    }
    return true;
}

static FILE *open_temporary(const struct output *output, const struct stat *old)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        int fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            FILE *file = fdopen(fd, "w");
            if (old && fchmod(fd, old->st_mode & 07777) != 0) {
                errno = 0; /* the file was another user's; the new one is ours */
            }
            return file;
        }
        if (errno == EEXIST) { /* left behind by a process of this number */
            unlink(output->temporary);
        } else if (errno != ENOENT || attempt > 0 || !output_make_parents(output->path)) {
            return NULL;
        }
    }
    return NULL;
}

bool output_begin(struct output *output, const char *path, struct error *error)
{
    struct stat old, link;
    *output = (struct output){.file = stdout};
    if (strcmp(path, "-") == 0) {
        return true;
    }
    bool there = stat(path, &old) == 0, dangling = !there && lstat(path, &link) == 0;
    bool beside = !dangling && (!there || S_ISREG(old.st_mode));
    if (!there || !realpath(path, output->path)) {
        snprintf(output->path, sizeof output->path, "%s", path);
    }
    output->file = NULL;
    int length =
        snprintf(output->temporary, sizeof output->temporary, "%s.tmp%ld", output->path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof output->temporary) {
        return error_set(error, "cannot write %s: the path is too long", path);
    }
    if (beside) {
        output->file = open_temporary(output, there ? &old : NULL);
    }
    if (!output->file && (!beside || (there && (errno == EACCES || errno == EPERM || errno == EROFS)))) {
        output->temporary[0] = 0; /* a folder in which nothing can be made, or no regular file */
        output->file = fopen(path, "we");
    }
    return output->file || error_set(error, "cannot write %s: %s", path, strerror(errno));
}

/* Ends writing to the standard output, which main closes and checks. */
static bool end_stdout(bool good, struct error *error)
{
    if (good && (fflush(stdout) != 0 || ferror(stdout))) {
        return error_set(error, "cannot write the standard output: %s", strerror(errno));
    }
    return good;
}

bool output_end(struct output *output, bool good, struct error *error)
{
    if (output->file == stdout) {
        return end_stdout(good, error);
    }
    errno = 0;
    bool written = fflush(output->file) == 0 && !ferror(output->file);
    written = written && (fsync(fileno(output->file)) == 0 || errno == EINVAL || errno == ENOTSUP);
    int cause = written ? 0 : errno;
    written = fclose(output->file) == 0 && written;
    cause = written || cause ? cause : errno;
    output->file = NULL;
    if (good && written && output->temporary[0] && rename(output->temporary, output->path) != 0) {
        written = false;
        cause = errno;
    }
    if (output->temporary[0] && !(good && written)) {
        unlink(output->temporary);
    }
    if (good && !written) {
        error_set(error, "cannot write %s: %s", output->path,
                  cause ? strerror(cause) : "not all was written");
    }
    return good && written;
}

bool output_write(const char *path, const char *text, size_t size, struct error *error)
{
    struct output output;
    if (!output_begin(&output, path, error)) {
        return false;
    }
    errno = 0;
    bool good = fwrite(text, 1, size, output.file) == size && fflush(output.file) == 0;
    if (!good) {
        error_set(error, "cannot write %s: %s", strcmp(path, "-") ? path : "the standard output",
                  strerror(errno));
    }
    return output_end(&output, good, error);
}

/* Copies a path without "." parts and doubled slashes. */
static void simplify(const char *path, char *to, size_t size)
{
    size_t used = 0;
    for (const char *c = path; *c && used + 1 < size; c++) {
        bool starts = used == 0 ? c == path : to[used - 1] == '/';
        if (starts && c[0] == '.' && (c[1] == '/' || !c[1])) {
            c += c[1] == '/';
        } else if (!(*c == '/' && used && to[used - 1] == '/')) {
            to[used++] = *c;
        }
    }
    to[used] = 0;
}

bool output_same(const char *a, const char *b)
{
    struct stat x, y;
    if (stat(a, &x) == 0 && stat(b, &y) == 0) {
        return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    }
    char p[PATH_MAX], q[PATH_MAX];
    simplify(a, p, sizeof p);
    simplify(b, q, sizeof q);
    return strcmp(p, q) == 0;
}

/* The process that holds the lock on this file, which Linux tells, or 0. */
static long lock_holder(const struct stat *status)
{
#ifndef __linux__
    return (void)status, 0;
#else
    FILE *locks = fopen("/proc/locks", "re");
    char line[256];
    long found = 0;
    while (locks && !found && fgets(line, sizeof line, locks)) {
        long pid;
        unsigned high, low; /* the device */
        unsigned long long inode;
        if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%llu", &pid, &high, &low, &inode) == 4 &&
            inode == status->st_ino && high == major(status->st_dev) && low == minor(status->st_dev)) {
            found = pid;
        }
    }
    if (locks) {
        fclose(locks);
    }
    return found;
#endif
}

bool output_lock(int fd, const char *path, struct error *error)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) ||
        flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
        return true; /* a file system without locks is no reason not to run */
    }
    long pid = lock_holder(&status);
    char who[48] = "another process";
    if (pid > 0) {
        snprintf(who, sizeof who, "process %ld", pid);
    }
    return error_set(error, "%s is in use: %s writes there; give another place, or wait for its end", path,
                     who);
}

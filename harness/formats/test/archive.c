/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests zip archives against Python's zipfile. */

#include "harness/formats/archive.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void begin(void)
{
    strcpy(path, "/tmp/assay-zip-XXXXXX");
    int file = mkstemp(path);
    cr_assert(file >= 0);
    close(file);
}

static void end(void)
{
    unlink(path);
}

TestSuite(archive, .init = begin, .fini = end);

/* Runs Python with `path` as its argument. Returns the exit status. */
static int python(const char *program)
{
    char command[1600];
    cr_assert_lt((size_t)snprintf(command, sizeof command,
                                  "python3 -c 'import sys, zipfile, warnings, struct\n"
                                  "warnings.simplefilter(\"ignore\")\npath = sys.argv[1]\n%s' %s",
                                  program, path),
                 sizeof command);
    return system(command);
}

/* Expects that the file that Python writes is refused with this text. */
static void refused(const char *program, const char *text)
{
    struct error error = {.text = ""};
    cr_assert_eq(python(program), 0);
    struct archive *archive = archive_open(path, &error);
    cr_expect_null(archive, "%s: accepted", text);
    cr_expect(strstr(error.text, text) && strstr(error.text, path), "%s: %s", text, error.text);
    archive_close(&archive);
}

Test(archive, what_python_stores_and_deflates_is_read)
{
    struct error error = {.text = ""};
    unsigned char *bytes, start[4];
    size_t got;
    cr_assert_eq(python("z = zipfile.ZipFile(path, \"w\")\n"
                        "z.writestr(\"b/one.txt\", \"hello\")\n"
                        "z.writestr(\"a\", bytes(300000), zipfile.ZIP_DEFLATED)\n"
                        "z.writestr(\"empty\", b\"\")\n"
                        "z.close()"),
                 0);
    struct archive *archive = archive_open(path, &error);
    cr_assert(archive, "%s", error.text);
    cr_assert_eq(archive_count(archive), 3);
    cr_assert_str_eq(archive_member(archive, 0)->name, "b/one.txt");
    cr_assert_eq(archive_member(archive, 1)->size, 300000u);
    cr_assert_eq(archive_find(archive, "empty"), 2);
    cr_assert_eq(archive_find(archive, "one.txt"), -1);
    cr_assert(archive_peek(archive, 0, start, sizeof start, &got, &error), "%s", error.text);
    cr_assert_eq(got, sizeof start);
    cr_assert_arr_eq(start, "hell", 4);
    cr_assert(archive_read(archive, 0, 5, &bytes, &error), "%s", error.text);
    cr_assert_str_eq((char *)bytes, "hello");
    free(bytes);
    cr_assert(archive_read(archive, 1, 300000, &bytes, &error), "%s", error.text);
    for (size_t i = 0; i <= 300000; i++) {
        cr_assert_eq(bytes[i], 0);
    }
    free(bytes);
    cr_assert_not(archive_read(archive, 1, 299999, &bytes, &error));
    cr_assert(strstr(error.text, "member a has 300000 bytes, more than 299999"), "%s", error.text);
    cr_assert(archive_read(archive, 2, 0, &bytes, &error), "%s", error.text);
    free(bytes);
    archive_close(&archive);
    cr_assert_null(archive);
}

Test(archive, what_is_written_python_reads_and_the_bytes_tell_no_time)
{
    struct error error = {.text = ""};
    unsigned char first[1024], second[1024];
    size_t sizes[2];
    for (int round = 0; round < 2; round++) {
        struct archive_writer *writer = archive_write_begin(&error);
        cr_assert(writer, "%s", error.text);
        cr_assert(archive_add(writer, "case.json", "{}\n", 3, &error), "%s", error.text);
        cr_assert(archive_add(writer, "inputs/\xC3\xA4.npy", "\0\1\2", 3, &error), "%s", error.text);
        cr_assert_not(archive_add(writer, "case.json", "", 0, &error)); /* once is enough */
        cr_assert(archive_write_end(&writer, path, &error), "%s", error.text);
        cr_assert_null(writer);
        FILE *file = fopen(path, "rb");
        sizes[round] = fread(round ? second : first, 1, sizeof first, file);
        fclose(file);
        sleep(round ? 0 : 2); /* the clock of a zip archive has a resolution of two seconds */
    }
    cr_assert_eq(sizes[0], sizes[1]);
    cr_assert_arr_eq(first, second, sizes[0]);
    cr_assert_eq(python("z = zipfile.ZipFile(path)\n"
                        "assert z.testzip() is None\n"
                        "assert z.namelist() == [\"case.json\", \"inputs/\\u00e4.npy\"], z.namelist()\n"
                        "assert z.read(\"inputs/\\u00e4.npy\") == bytes([0, 1, 2])\n"
                        "assert all(i.compress_type == zipfile.ZIP_STORED for i in z.infolist())"),
                 0);
}

Test(archive, a_writer_that_is_given_up_leaves_what_stood_there)
{
    struct error error = {.text = ""};
    cr_assert_eq(python("open(path, \"w\").write(\"old\")"), 0);
    struct archive_writer *writer = archive_write_begin(&error);
    cr_assert(archive_add(writer, "a", "b", 1, &error), "%s", error.text);
    cr_assert_not(archive_write_end(&writer, NULL, &error));
    cr_assert_eq(python("assert open(path).read() == \"old\""), 0);
}

Test(archive, what_cannot_be_trusted_is_refused_by_name)
{
#define PATCH(where, form, value)                                                                            \
    "z = zipfile.ZipFile(path, \"w\", zipfile.ZIP_DEFLATED)\nz.writestr(\"a\", bytes(5000))\nz.close()\n"    \
    "b = bytearray(open(path, \"rb\").read())\n"                                                             \
    "for s, o in ((b\"PK\\x03\\x04\", 0), (b\"PK\\x01\\x02\", 2)):\n"                                        \
    "    struct.pack_into(\"" form "\", b, b.find(s) + " where " + o, " value ")\n"                          \
    "open(path, \"wb\").write(b)"
    refused("z = zipfile.ZipFile(path, \"w\")\nz.writestr(\"a\", \"1\")\nz.writestr(\"a\", \"2\")\nz.close()",
            "member a stands there twice");
    refused("z = zipfile.ZipFile(path, \"w\")\nz.writestr(\"x/../../a\", \"1\")\nz.close()", "\"..\"");
    refused("z = zipfile.ZipFile(path, \"w\")\nz.writestr(\"/etc/x\", \"1\")\nz.close()", "absolute path");
    refused("z = zipfile.ZipFile(path, \"w\")\nz.writestr(\"\\u00e4\\u0085b\", \"1\")\nz.close()",
            "control characters");
    refused("z = zipfile.ZipFile(path, \"w\", zipfile.ZIP_BZIP2)\nz.writestr(\"a\", \"1\")\nz.close()",
            "compression 12 (bzip2)");
    refused(PATCH("6", "<H", "1"), "member a is encrypted");
    refused(PATCH("22", "<I", "2000000000"), "member a claims 2000000000 bytes");
    refused("open(path, \"w\").write(\"no archive\")", "zip archive");
#undef PATCH
}

/* Two directory entries name the same bytes: a file of 20 KB could unpack to any size. */
Test(archive, members_that_share_bytes_are_refused)
{
    refused("z = zipfile.ZipFile(path, \"w\")\nz.writestr(\"a\", bytes(9000))\nz.close()\n"
            "b = open(path, \"rb\").read()\n"
            "at = b.find(b\"PK\\x01\\x02\")\nend = b.find(b\"PK\\x05\\x06\")\n"
            "entry = b[at:end]\n"
            "other = bytearray(entry)\nother[46] = ord(\"b\")\n"
            "tail = struct.pack(\"<IHHHHIIH\", 0x06054b50, 0, 0, 2, 2, 2 * len(entry), at, 0)\n"
            "open(path, \"wb\").write(b[:at] + entry + bytes(other) + tail)",
            "more bytes of the file than there are");
}

Test(archive, a_member_that_unpacks_to_another_size_or_other_bytes_is_refused)
{
    static const char *const changes[] = {
        "struct.pack_into(\"<I\", b, at + 24, 4999)", /* shorter */
        "struct.pack_into(\"<I\", b, at + 24, 5001)", /* longer */
        "struct.pack_into(\"<I\", b, at + 16, 1)",    /* another checksum */
    };
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        char program[800];
        struct error error = {.text = ""};
        unsigned char *bytes;
        snprintf(program, sizeof program,
                 "z = zipfile.ZipFile(path, \"w\", zipfile.ZIP_DEFLATED)\n"
                 "z.writestr(\"a\", bytes(5000))\nz.close()\nb = bytearray(open(path, \"rb\").read())\n"
                 "at = b.find(b\"PK\\x01\\x02\")\n%s\nopen(path, \"wb\").write(b)",
                 changes[c]);
        cr_assert_eq(python(program), 0);
        struct archive *archive = archive_open(path, &error);
        cr_expect(!archive || !archive_read(archive, 0, UINT64_MAX, &bytes, &error), "change %zu", c);
        cr_expect(strstr(error.text, path), "%s", error.text);
        archive_close(&archive);
    }
}

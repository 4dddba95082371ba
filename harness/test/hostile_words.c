/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts from files and programs are shown in such a way that a terminal obeys none of them: controls of 7 and
 * 8 bits, and characters that change the order in which others are shown. reports/test/hostile.c tests the
 * reports alone. */

TestSuite(hostile_words, .init = trial_begin, .fini = trial_end, .timeout = 120);

#define GLOB "elementwise/sgn/float32"
/* In JSON and in Python's strings: a window's title, a cleared screen (CSI of 7 and of 8 bits), an override,
 * an isolate, an Arabic letter mark, a right-to-left mark. */
#define EVIL "\\u001b]0;t\\u0007\\u001b[2J\\u009b2J\\u202e\\u2066\\u061c\\u200f"
/* The same as bytes. */
#define RAW                                                                                                  \
    "\x1b]0;t\x07\x1b[2J\xc2\x9b"                                                                            \
    "2J\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\x8f"

/* Checks that the last run printed `part` of it, spelled out, and nothing raw. */
static void expect_shown(int status, const char *part)
{
    static const char *const obeyed[] = {"\x1b",         "\x07",         "\xc2\x9b", "\x7f",
                                         "\xe2\x80\xae", "\xe2\x81\xa6", "\xd8\x9c", "\xe2\x80\x8f"};
    for (size_t i = 0; i < sizeof obeyed / sizeof *obeyed; i++) {
        const char *found = strstr(trial->output, obeyed[i]);
        cr_expect(!found, "%zu at %.60s", i, found);
    }
    cr_expect_eq(trial->status, status, "%s", trial->output);
    cr_expect(strstr(trial->output, part), "\"%s\" lacks in %s", part, trial->output);
}

static void shown(int status, const char *part, const char *words)
{
    trial_run("%s", words);
    expect_shown(status, part);
}

Test(hostile_words, results)
{
    trial_write("r", "{\"assay\":\"1" EVIL "\",\"backend\":\"b" EVIL "\",\"device\":\"d" EVIL
                     "\",\"driver\":\"" EVIL "\",\"expected\":5,\"fault\":\"" EVIL "\"}\n"
                     "{\"id\":\"f" EVIL "/o" EVIL "/d" EVIL "/1\",\"backend\":\"b" EVIL
                     "\",\"status\":\"fail\",\"rule\":\"" EVIL "\"}\n"
                     "{\"id\":\"f" EVIL "/o" EVIL "/d" EVIL "/2\",\"backend\":\"b" EVIL
                     "\",\"status\":\"fail\",\"rule\":\"" EVIL "\",\"reason\":\"" EVIL "\",\"detail\":\"" EVIL
                     "\"}\n"
                     "{\"id\":\"f/o/d/1" EVIL "\",\"backend\":\"c" EVIL "\",\"status\":\"vacuous\"}\n");
    shown(1, "\\x1b", "report FOLDER/r --format text --show 1");
    shown(1, "\\x1b", "report FOLDER/r --format text --by operator --show 0");
    shown(0, "\\x1b", "report FOLDER/r --format markdown");
    shown(0, "\\x1b", "report FOLDER/r --format csv");
    shown(0, "\\x1b", "report FOLDER/r --format html -o FOLDER/page");
    shown(0, "\\x1b", "report FOLDER/r --format junit");
    shown(1, "\\u202e", "merge FOLDER/r -o -");
    shown(1, "\\x1b", "merge FOLDER/r -o FOLDER/m");
    trial_write("raw", "{\"assay\":\"1\",\"backend\":\"x\",\"expected\":1}\n"
                       "{\"id\":\"f/o/d/1\",\"backend\":\"x\",\"status\":\"pass\",\"reason\":\"\x9b"
                       "2J\"}\n");
    shown(0,
          "\xef\xbf\xbd"
          "2J",
          "merge FOLDER/raw -o -");
    cr_expect_null(memchr(trial->output, 0x9b, strlen(trial->output)));
    shown(1, "\\x1b", "compare FOLDER/r FOLDER/r");
    shown(1, "\\u202e", "compare FOLDER/r FOLDER/r --format json");
    shown(1, "\\x1b", "compare FOLDER/r FOLDER/r --format markdown");
    trial_write("r", "{\"assay\":\"1\",\"backend\":\"x\",\"level\":7," RAW "\n{}\n");
    shown(2, "not JSON", "report FOLDER/r --format text");
    trial_write("r", "{\"id\":\"x\",\"backend\":\"x\",\"status\":\"" EVIL "\"}\n");
    shown(2, "\\u202e", "report FOLDER/r --format text");
    shown(2, "cannot be", "run " GLOB " --backend faulty --shard 1/2 --costs FOLDER/r");
}

Test(hostile_words, baseline)
{
    static const char run[] = "run " GLOB " --level smoke --backend faulty --quiet --baseline FOLDER/known";
    trial_write("known", "{\"version\":1,\"entries\":[{\"id\":\"x" EVIL "\",\"reason\":\"" EVIL "\"}]}");
    shown(0, "is stale: it matches no case", run);
    cr_expect(strstr(trial->output, "x\\x1b]0;t"), "%s", trial->output);
    trial_write("known", "{\"version\":2,\"expected\":[{\"id\":\"x" EVIL
                         "\",\"status\":\"fail\",\"reason\":\"" EVIL "\"}]," RAW "}");
    shown(2, "known", run);
    trial_write("known", "{\"" EVIL "\": 1}");
    shown(2, "known", run);
}

static const char program[] =
    "import os, sys\n"
    "sys.path.insert(0, 'harness/adapters')\n"
    "import assay_exec\n"
    "class Evil(assay_exec.Adapter):\n"
    "    name, version, device = 'n" EVIL "', 'v" EVIL "', 'd" EVIL "'\n"
    "    dtypes = ('float32',)\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.operators = {'sgn': self.sgn, 'matmul': self.sgn, 'add': self.leave}\n"
    "    def sgn(self, a, *x):\n"
    "        sys.stderr.write('e" EVIL "\\n')\n"
    "        raise assay_exec.Unsupported('u" EVIL "')\n"
    "    def leave(self, a, *x):\n"
    "        sys.stderr.write('last words " EVIL "\\n')\n"
    "        sys.stderr.flush()\n"
    "        os._exit(3)\n"
    "Evil().serve()\n";

Test(hostile_words, a_program_takes_seconds)
{
    trial_needs_python();
    trial_write("evil.py", program);
    setenv("PYTHONPATH", "harness/adapters", 1);
#define EXEC "--backend exec:python3${IFS}FOLDER/evil.py "
    shown(3, "\\x1b", "run " GLOB " --level smoke --quiet --results FOLDER/r " EXEC);
    shown(1, "last words \\x1b", "run elementwise/add/float32 --level smoke --quiet --no-rerun " EXEC);
    shown(3, "\\x1b", "report FOLDER/r --format text");
    trial_run("check exec:python3${IFS}FOLDER/evil.py");
    expect_shown(trial->status, "\\x1b");
    trial_run("check exec:python3${IFS}FOLDER/evil.py --format json");
    expect_shown(trial->status, "u202e");
    trial_run("repro elementwise/sgn/float32/specials " EXEC);
    expect_shown(trial->status, "\\x1b");
    trial_run("repro elementwise/sgn/float32/specials --format json " EXEC);
    expect_shown(trial->status, "u202e");
    trial_array("x.npy", shape_of(1, (int64_t)3), (double[]){1, 2, 3});
    trial_run("repro --op sgn --input FOLDER/x.npy --dtype float32 " EXEC);
    expect_shown(trial->status, "\\x1b");
    trial_run("repro --op add --input FOLDER/x.npy --input FOLDER/x.npy --dtype float32 " EXEC);
    expect_shown(trial->status, "last words \\x1b");
    trial_run("run " GLOB " --self-test --level smoke " EXEC);
    expect_shown(trial->status, "");
    trial_write("evil.py", "import sys\nsys.exit('no device " EVIL "')\n");
    shown(3, "no device \\x1b", "run " GLOB " --level smoke --quiet " EXEC);
    trial_run("check exec:python3${IFS}FOLDER/evil.py");
    expect_shown(trial->status, "\\x1b");
    trial_write("evil.py", "print('{\"hello\": 1, \"profile\": {\"x" EVIL "\": 1}}')\n");
    shown(3, "\\x1b", "run " GLOB " --level smoke --quiet " EXEC);
}

/* Headers of arrays, names in archives, and names of files. */
Test(hostile_words, arrays)
{
    static const struct {
        const char *name, *script, *input;
    } rows[] = {
        {"x.npy",
         "h=\"{'descr': '<f4" RAW "', 'fortran_order': False, 'shape': (1,), }\\n\"\n"
         "f.write(b'\\x93NUMPY\\x01\\x00'+struct.pack('<H',len(h.encode()))+h.encode()+bytes(4))",
         "x.npy"},
        {"x.npz",
         "z=zipfile.ZipFile(f,'w'); z.writestr('a" EVIL ".npy',b'x'); z.writestr('b" EVIL
         "',b'y'); z.close()",
         "x.npz:c"},
        {"x.safetensors",
         "h=json.dumps({'t" EVIL "':{'dtype':'Q" EVIL "','shape':[1],'data_offsets':[0,4]}}).encode()\n"
         "f.write(struct.pack('<Q',len(h))+h+bytes(4))",
         "x.safetensors:u"},
        {"y.safetensors",
         "h=json.dumps({'t':{'dtype':'Q" EVIL "','shape':[1],'data_offsets':[0,4]}}).encode()\n"
         "f.write(struct.pack('<Q',len(h))+h+bytes(4))",
         "y.safetensors:t"},
        {"x.mtx", "f.write('%%MatrixMarket matrix coordinate " RAW " general\\n1 1 1\\n1 1 1\\n'.encode())",
         "x.mtx"},
        {"y.mtx", "f.write('%%MatrixMarket matrix coordinate real general\\n1 1 1\\n" RAW "\\n'.encode())",
         "y.mtx"},
        {"x" RAW ".npy", "f.write(b'nothing')", "x" RAW ".npy"},
    };
    trial_needs_python();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char script[2048], command[256];
        snprintf(script, sizeof script, "import json, struct, zipfile\nf = open('%s', 'wb')\n%s\nf.close()\n",
                 trial_path(rows[i].name), rows[i].script);
        trial_write("make.py", script);
        snprintf(command, sizeof command, "python3 %s", trial_path("make.py"));
        cr_assert_eq(system(command), 0, "%s", script);
        trial_run("repro --op sgn --backend cpu --input FOLDER/%s", rows[i].input);
        expect_shown(2, "");
        cr_expect(strstr(trial->output, "\\x1b") || strstr(trial->output, rows[i].name), "%s", trial->output);
    }
}

/* A bundle whose texts are replaced: what is recorded, and what it says of its making. */
Test(hostile_words, bundle_takes_seconds)
{
    trial_needs_python();
    trial_run("repro linalg/matmul/float32/random-9x7x5 --backend cpu --bundle FOLDER/b.zip");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_write(
        "forge.py",
        "import json, sys, zipfile\n"
        "old = zipfile.ZipFile(sys.argv[1])\n"
        "def members(value, path=()):\n"
        "    for key, inner in (value.items() if isinstance(value, dict) else enumerate(value)):\n"
        "        if isinstance(inner, str): yield path + (key,)\n"
        "        elif isinstance(inner, (dict, list)): yield from members(inner, path + (key,))\n"
        "whole = json.loads(old.read('bundle.json'))\n"
        "places = list(members(whole))\n"
        "for n, path in enumerate(places):\n"
        "    changed = json.loads(old.read('bundle.json'))\n"
        "    at = changed\n"
        "    for key in path[:-1]: at = at[key]\n"
        "    at[path[-1]] = 'x" EVIL "'\n"
        "    new = zipfile.ZipFile('%s/%d.zip' % (sys.argv[2], n), 'w')\n"
        "    for name in old.namelist():\n"
        "        new.writestr(name, json.dumps(changed) if name == 'bundle.json' else old.read(name))\n"
        "    new.close()\n"
        "print(len(places), file=open(sys.argv[2] + '/count', 'w'))\n");
    char command[256];
    int count = 0;
    snprintf(command, sizeof command, "python3 %s %s %s", trial_path("forge.py"), trial_path("b.zip"),
             trial->folder);
    cr_assert_eq(system(command), 0);
    FILE *file = fopen(trial_path("count"), "r");
    cr_assert(file && fscanf(file, "%d", &count) == 1 && count > 20, "%d texts", count);
    fclose(file);
    for (int n = 0; n < count; n++) {
        for (int json = 0; json < 2; json++) {
            trial_run("repro FOLDER/%d.zip%s", n, json ? " --format json" : "");
            expect_shown(trial->status, "");
        }
    }
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/shell.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* make install into a folder of the test's own, the installed program, and make uninstall; the wheel of it.
 */

static char build[256];

static void begin(void)
{
    trial_begin();
    const char *program = getenv("ASSAY_FAULTY"); /* BUILD/test/assay-faulty */
    snprintf(build, sizeof build, "%s", program ? program : "build/test/assay-faulty");
    for (int parts = 0; parts < 2 && strrchr(build, '/'); parts++) {
        *strrchr(build, '/') = 0;
    }
    setenv("T", trial->folder, 1);
    setenv("BUILD_FOLDER", build, 1);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("ASSAY_ADAPTERS");
    unsetenv("DESTDIR");
    unsetenv("PREFIX");
}

TestSuite(install, .init = begin, .fini = trial_end, .timeout = 120);

#define MAKE(what)                                                                                           \
    "make -s -o build BUILD=\"$BUILD_FOLDER\" DESTDIR=\"$T/a stage\" PREFIX=\"/it's here\" " what " 2>&1"
#define PLACE "\"$T/a stage/it's here\""

Test(install, everything_comes_and_goes)
{
    must(MAKE("install"));
    must(MAKE("install") /* again, over what is there */);
    must("cd " PLACE " && test -x bin/assay && test -r share/doc/assay/docs/reference/exec-protocol.md && "
         "test -r share/doc/assay/docs/explanation/families/linalg.md && test -r "
         "share/doc/assay/docs/explanation/envelope.md && "
         "test -r share/assay/adapters/assay_exec.py && test -r share/assay/adapters/example.c && "
         "test -r share/assay/adapters/findings/torch_findings.py && test -x share/assay/recipes/gate && "
         "test -x share/assay/recipes/slurm.sh && test -r share/assay/recipes/github.yml");
    must(PLACE "/bin/assay --version");
    must(PLACE "/bin/assay help --man | cmp - " PLACE "/share/man/man1/assay.1");
    must("cd " PLACE
         "/share/assay/adapters && mkdir __pycache__ && touch __pycache__/assay_exec.cpython-311.pyc");
    must(MAKE("uninstall"));
    cr_expect_neq(shell("test -e \"$T/a stage\""), 0, "the folder was made by install");
    must(MAKE("uninstall") /* of nothing is nothing */);
}

/* What was there before stays, and nothing beside it. */
Test(install, what_is_anothers_stays)
{
    must("mkdir -p " PLACE "/bin " PLACE "/share/man");
    must(MAKE("install"));
    must("touch " PLACE "/share/assay/adapters/mine.py");
    must(MAKE("uninstall"));
    must("cd " PLACE " && find . | LC_ALL=C sort");
    cr_expect_str_eq(output, ".\n./bin\n./share\n./share/assay\n./share/assay/adapters\n"
                             "./share/assay/adapters/mine.py\n./share/man\n");
}

/* From a folder where there is no harness/adapters: the installed program takes those beside it. */
Test(install, the_adapters_are_found)
{
    must(MAKE("install"));
    trial_script("python", "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$T/asked\"\n");
    (void)shell("cd \"$T\" && ASSAY_PYTHON=\"$T/python\" " PLACE "/bin/assay devices torch:cpu 2>&1");
    must("cd \"$T\" && cat asked");
    char wanted[300];
    snprintf(wanted, sizeof wanted,
             "%s/a stage/it's here/bin/../share/assay/adapters/torch_adapter.py\ncpu\n", trial->folder);
    cr_expect_str_eq(output, wanted);
    must("cd " PLACE
         "/share/assay/adapters && cc -std=c17 -D_GNU_SOURCE -o \"$T/example\" example.c -ljansson -lm 2>&1");
    must("cd \"$T\" && " PLACE "/bin/assay run elementwise/sgn/float32 --level smoke --no-cache --backend "
         "exec:\"$T/example\" 2>&1");
    cr_expect(strstr(output, "gate: PASS"), "%s", output);
}

/* The gate that is installed runs the program that is installed with it. */
Test(install, the_recipes_find_the_program)
{
    must(MAKE("install"));
    must("cd \"$T\" && env -u ASSAY " PLACE
         "/share/assay/recipes/gate run elementwise/sgn/float32 --level smoke --backend cpu 2>&1");
    cr_expect(strstr(output, "gate: PASS"), "%s", output);
    must("cd \"$T\" && cp " PLACE "/share/assay/recipes/slurm.sh spooled && PATH=" PLACE
         "/bin:$PATH env -u ASSAY "
         "SLURM_SUBMIT_DIR=\"$T\" sh spooled merge 2>&1");
    cr_expect(strstr(output, "15 cases"), "%s", output);
}

/* Every relative link of the installed pages, and the completion where bash looks for it. */
Test(install, links_and_completion_hold)
{
    must(MAKE("install"));
    must("cd " PLACE "/share/doc/assay && find . -name '*.md' | while read -r page; do "
         "grep -oE '\\]\\([^)# ]+' \"$page\" | sed 's/^](//' | grep -v '^[a-z]*://' | while read -r link; do "
         "echo link; test -e \"${page%/*}/$link\" || echo \"$page lacks $link\"; done; done");
    cr_expect(!strstr(output, "lacks"), "%s", output);
    cr_expect_gt(strlen(output), 8 * strlen("link\n"), "%s", output);
    must("bash --norc --noprofile -c 'source \"$0\"/share/bash-completion/completions/assay; "
         "COMP_LINE=\"assay he\" "
         "COMP_POINT=8 COMP_WORDS=(assay he) COMP_CWORD=1; _assay \"$0/bin/assay\" he assay; echo "
         "\"$COMPREPLY\"' " PLACE);
    cr_expect_str_eq(output, "help\n");
}

#define WHEEL                                                                                                \
    "python3 packaging/wheel.py " PLACE " 0.1.0 \"$T/dist\" && mkdir \"$T/unpacked\" && "                    \
    "python3 packaging/test/wheel_files.py \"$T\"/dist/assay-0.1.0-py3-none-linux_*.whl \"$T/unpacked\" "    \
    "2>&1"

/* Without libraries, which auditwheel of PyPI would add. */
Test(install, the_wheel_has_all_of_it)
{
    trial_needs_python();
    must(MAKE("install"));
    must("unset VIRTUAL_ENV; " WHEEL);
    cr_expect(strstr(output, " files, 0 libraries"), "%s", output);
}

/* pip puts it on PATH, and python finds the modules; nothing is fetched. */
Test(install, pip_installs_the_wheel_takes_seconds)
{
    trial_needs_python();
    if (shell("python3 -m venv \"$T/env\" 2>&1")) {
        cr_skip("this python3 cannot make a virtual environment");
    }
    must(MAKE("install"));
    must("python3 packaging/wheel.py " PLACE " 0.1.0 \"$T/dist\"");
    must("cd \"$T\" && PIP_FIND_LINKS= env/bin/python -m pip install --quiet --no-index dist/assay-*.whl "
         "2>&1 && "
         "env/bin/assay run elementwise/sgn/float32 --level smoke --backend cpu --no-cache 2>&1");
    cr_expect(strstr(output, "gate: PASS"), "%s", output);
    must("cd \"$T\" && env/bin/python -c 'import assay, assay_bundle, os; "
         "print(os.path.basename(assay.Judge.program()))' && "
         "test -r env/share/man/man1/assay.1 && test -r env/share/bash-completion/completions/assay");
    cr_expect_str_eq(output, "assay\n");
    must("cd \"$T\" && env/bin/python -m pip uninstall --quiet --yes assay 2>&1; ! test -e env/bin/assay && "
         "ls env/lib/python3*/site-packages | grep -c assay || true");
    cr_expect_str_eq(output, "0\n", "pip leaves %s", output);
}

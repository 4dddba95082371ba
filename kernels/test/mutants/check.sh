#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# check.sh [TREE]
#
# Checks the patches of mutants and legal variants against the kernels of TREE (.): every name of mutants.txt has its patch
# and the reverse; the head of each says what mutants.txt says; each applies with all of its context, though line numbers
# may have moved, and its context stands at one place of the file only; no source has a condition on a macro MUTANT_… or VARIANT_….
# Names what is wrong, and exits 1 then. README.md beside this script tells how to renew a patch.
set -u
cd "${1:-.}" || exit 2
here=kernels/test/mutants
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
tab=$(printf '\t')
bad=0
fault() { # TEXT…
    echo "$@" >&2
    bad=1
}

while IFS=$tab read -r name operators dtypes what; do
    case $name in '' | '#'*) continue ;; esac
    patch=$here/patches/$name.patch
    [ -e "$patch" ] || { fault "$name: mutants.txt lists it, and there is no $patch" && continue; }
    IFS= read -r head <"$patch"
    [ "$head" = "$name: $what" ] || fault "$patch: its first line is not that of mutants.txt, \"$name: $what\""
    patch --dry-run -s -f -p1 -F 0 <"$patch" >"$log" 2>&1 ||
        fault "$patch does not apply to the kernels; renew it as $here/README.md says:
$(sed 's/^/    /' "$log")"
done <"$here/mutants.txt"

ls "$here/patches" | sed 's/\.patch$//' >"$log"
for name in $(cut -f1 "$here/mutants.txt" | grep -vxFf - "$log"); do
    fault "$here/patches/$name.patch: mutants.txt does not list $name"
done

grep -H '^+++ ' "$here"/patches/*.patch | grep -v '+++ b/kernels/\(vulkan\|cpu\)/' >"$log" &&
    fault "$(sed 's/:.*/ changes a file outside kernels\/vulkan\/ and kernels\/cpu\/, of which run.sh makes no copy/' "$log")"

# A hunk whose lines stand at two places could move from the one to the other without a word.
awk '
    function lines_of(file,   line, n) {
        if (file in length_of)
            return
        while ((getline line < file) > 0)
            text[file, ++n] = line
        close(file)
        length_of[file] = n + 0
    }
    function places(   i, k, found) {
        lines_of(file)
        for (i = 0; i + size <= length_of[file]; i++) {
            for (k = 1; k <= size && text[file, i + k] == old[k]; k++)
                ;
            found += k > size
        }
        return found
    }
    FNR == 1 { left = 0 }
    left > 0 {
        sign = $0 == "" ? " " : substr($0, 1, 1)
        if (sign == " " || sign == "-")
            old[++size] = substr($0, 2)
        left -= sign == " " ? 2 : sign == "-" || sign == "+" ? 1 : 0
        if (left == 0 && places() > 1)
            print FILENAME ": what stands around line " start " of " file " stands there twice: make the patch with more context (diff -U 6)"
        next
    }
    /^--- a\// { file = substr($2, 3) }
    /^@@ / {
        split($2, from, ",")
        split($3, to, ",")
        start = -from[1]
        left = (from[2] == "" ? 1 : from[2]) + (to[2] == "" ? 1 : to[2])
        size = 0
    }' "$here"/patches/*.patch >"$log"
[ ! -s "$log" ] || fault "$(cat "$log")"

grep -rnE '(^|[^A-Z_])(MUTANT|VARIANT)_[A-Z]' kernels/vulkan kernels/cpu kernels/shapes >"$log"
grep -rnE --include='*.[ch]' --include='*.inc' '^ *# *(if|ifdef|ifndef|elif)[^a-z].*(MUTANT|VARIANT)_[A-Z]' \
    kernels/test reference suites harness reports >>"$log" 2>/dev/null
[ ! -s "$log" ] || fault "wrong kernels are patches in $here/patches, not macros:
$(sed 's/^/    /' "$log")"
exit $bad

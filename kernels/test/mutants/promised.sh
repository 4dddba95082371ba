#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# promised.sh BUILD
#
# Runs the mutants and legal variants of promised.txt with run.sh and prints the detection table: form, name, and, by dtype,
# how many cases caught it or reported it falsely. Legal variants run on one case in sixteen (with CI empty on all cases)
# under seeds 1 to 3; mutants first run on the cases of caught.txt. Exit 1 if a form names nothing of mutants.txt or if
# run.sh fails.
set -u
build=$1
here=kernels/test/mutants
tab=$(printf '\t')
status=0

names() { # KIND
    grep -v '^#' "$here/promised.txt" | cut -f2 | tr ' ' '\n' | grep "^$1_"
}

table() { # KIND
    while IFS=$tab read -r form forms; do
        case $form in '#'*) continue ;; esac
        for name in $forms; do
            case $name in "$1"_*) ;; *) continue ;; esac
            said=$build/mutants/$name/said
            counts=$(sed -n 's/^  \([a-z]*[0-9]*\) *\([0-9][0-9]*\)  .*/\1 \2/p; s/^  reported falsely by/reported falsely by/p; s/^  FAILED.*/FAILED/p' \
                "$said" 2>/dev/null | tr '\n' ',' | sed 's/,$//; s/,/, /g')
            printf '%s | %s | %s\n' "$form" "$name" "${counts:-NOTHING}"
        done
    done <"$here/promised.txt"
}

while IFS=$tab read -r form forms; do
    case $form in '' | '#'*) continue ;; esac
    [ -n "$forms" ] || { echo "FAILED: '$form' names nothing" && status=1; }
    for name in $forms; do
        grep -q "^$name$tab" "$here/mutants.txt" || { echo "FAILED: '$form': no $name in mutants.txt" && status=1; }
    done
done <"$here/promised.txt"

# shellcheck disable=SC2046
sh "$here/run.sh" "$build" $(names MUTANT) || status=1
table MUTANT >"$build/promised.txt"
# shellcheck disable=SC2046
CI=${CI-1} SEEDS='1 2 3' sh "$here/run.sh" "$build" $(names VARIANT) || status=1
table VARIANT >>"$build/promised.txt"
cat "$build/promised.txt"
! grep -q "NOTHING$" "$build/promised.txt" || status=1 # a run that did not come to its end
echo "$(grep -c "$tab" "$here/promised.txt") forms promised"
exit "$status"

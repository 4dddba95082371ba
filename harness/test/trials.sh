#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# trials.sh BUILD LIST: runs the tests of every line of LIST (trials.txt) and prints a line for each, with the item and its
# tests: pass, skip (every test of it needs a package that is missing), FAIL, or UNTESTED (a filter matches no test).
# Exits with 1 after a FAIL or UNTESTED. Lines of make run only if ALL=1 is set, because they take minutes.
set -u
build=$1 list=$2 bad=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
export ASSAY_FAULTY="$build/test/assay-faulty"

# One filter; prints pass, skip, FAIL or UNTESTED.
try() { # ROOM FILTER
    "$build/test/$1" --filter "$2" >"$log" 2>&1 </dev/null
    status=$?
    if [ $status -ne 0 ]; then
        echo FAIL
    elif grep -q 'Tested: [1-9]' "$log"; then
        echo pass
    elif grep -q '^\[SKIP\]' "$log"; then
        echo skip
    else
        echo UNTESTED
    fi
}

item() { # ITEM ROOM TESTS
    result=skip
    if [ "$2" = make ]; then
        if [ "${ALL:-0}" = 1 ]; then
            # shellcheck disable=SC2086
            if make --no-print-directory BUILD="$build" $3 >"$log" 2>&1 </dev/null; then result=pass; else result=FAIL; fi
        fi
    else
        set -f
        for filter in $3; do
            one=$(try "$2" "$filter")
            case $one in
            FAIL | UNTESTED) result=$one && break ;;
            pass) result=pass ;;
            esac
        done
        set +f
    fi
    printf '%-8s %s (%s: %s)\n' "$result" "$1" "$2" "$3"
    case $result in FAIL | UNTESTED) bad=1 && tail -20 "$log" | cut -c1-300 ;; esac
}

tab=$(printf '\t')
while IFS=$tab read -r name room tests; do
    case $name in '' | '#'*) continue ;; esac
    item "$name" "$room" "$tests"
done <"$list"
exit $bad

#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# mutate.sh OBJDIR "CC and flags" "LIBS" ROOM="objects of the room's test binary"…
#
# Applies every fault of harness/test/mutations.txt alone, rebuilds that one object, links the room's test binary with
# it, runs it, and demands that a test fails. Prints what survived; exit 1 if anything did.
set -u
objects=$1 compile=$2 libs=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')
caught=0 survived=0
while IFS=$tab read -r where expression what; do
    case $where in '' | '#'*) continue ;; esac
    room=${where%% *} file=${where#* }
    for argument in "$@"; do case $argument in "$room="*) list=${argument#*=} ;; esac; done
    mkdir -p "$work/$(dirname "$file")"
    sed "$expression" "$file" >"$work/$file"
    if cmp -s "$file" "$work/$file"; then
        echo "STALE   $file: $expression does not apply any more"
        survived=$((survived + 1))
        continue
    fi
    if ! $compile -w -c -o "$work/mutant.o" "$work/$file" 2>"$work/log"; then
        echo "BROKEN  $file: $what"
        sed 's/^/        /' "$work/log" | head -5
        survived=$((survived + 1))
        continue
    fi
    original=$objects/${file%.c}.o
    linked=
    for object in $list; do
        [ "$object" = "$original" ] && object=$work/mutant.o
        linked="$linked $object"
    done
    # shellcheck disable=SC2086
    $compile -o "$work/test" $linked $libs || exit 2
    if timeout 60 "$work/test" --jobs 1 --fail-fast >/dev/null 2>&1; then
        echo "SURVIVED $file: $what"
        survived=$((survived + 1))
    else
        caught=$((caught + 1))
    fi
done <harness/test/mutations.txt
echo "mutations of the bound, acceptance and metric functions: $caught caught, $survived survived"
[ "$survived" -eq 0 ]

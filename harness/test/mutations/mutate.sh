#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# mutate.sh OBJDIR "CC and flags" "LIBS" ROOM="objects of the room's test binary"…
#
# Applies every mutation of harness/test/mutations/mutations.txt alone, rebuilds that one object, links the test binary of
# its room with it, runs it, and requires that a test fails. It tries as many at a time as there are processors, prints
# what survived, and exits with 1 if anything did.
#
#   ONLY=TEXT   only mutations whose line contains the text
#   SHARE=K/N   the K-th of N shares of the list
#   LATE=1      prints mutations that no quick test of the suites named after their file catches, with the suite that
#               does, for the fourth column
#
# A mutation of loops that this processor does not run is left out and named: the fifth column is the flag of
# /proc/cpuinfo that these loops need.
set -u
objects=$1 compile=$2 libs=$3
shift 3
# The fastest linker that there is: it runs once per fault.
linker=-Wl,--strip-debug
for name in mold lld gold; do
    if command -v "ld.$name" >/dev/null; then
        linker="$linker -fuse-ld=$name"
        break
    fi
done
work=$(mktemp -d)
root=$PWD
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')

# The first word of a file's name: what the suites that test it are most often called.
stem_of() {
    stem=$(basename "$1" .c)
    echo "${stem%%_*}"
}

# Those are tried first, or what a fourth column of mutations.txt names, then all: most are caught within a second. What
# takes several times as long as the right program hangs.
passes() { # BINARY PATTERN SECONDS
    timeout "$3" "$1" --jobs 1 --fail-fast --filter "$2" >/dev/null 2>&1
}

# The source whose object a file is a part of: a body NAME_WORD.inc belongs to the nearest of NAME_WORD.c, NAME.c …
unit_of() { # FILE
    unit=${1%.*}
    while [ "${1##*.}" = inc ] && [ ! -f "$unit.c" ] && [ "$unit" != "${unit%_*}" ]; do unit=${unit%_*}; done
    echo "$unit.c"
}

# One fault, in a folder of its own: prints "caught", or what is wrong.
try() { # FOLDER ROOM FILE EXPRESSION WHAT OBJECTS [FILTER]
    rm -rf "$1"
    mkdir -p "$1/$(dirname "$3")"
    unit=$(unit_of "$3")
    [ "$unit" = "$3" ] || cp "$unit" "$1/$unit"
    sed "$4" "$3" >"$1/$3"
    if cmp -s "$3" "$1/$3"; then
        echo "STALE    $3: $4 does not apply any more"
        return
    fi
    if ! (cd "$1" && $compile -w -O0 -g0 -I"$root" -c -o mutant.o "$unit") 2>"$1/log"; then
        echo "BROKEN   $3: $5"
        sed 's/^/        /' "$1/log" | head -5
        return
    fi
    linked=
    for object in $6; do
        [ "$object" = "$objects/${unit%.c}.o" ] && object=$1/mutant.o
        linked="$linked $object"
    done
    # shellcheck disable=SC2086
    if ! $compile -g0 $linker -o "$1/test" $linked $libs 2>"$1/log"; then
        echo "UNLINKED $3: $5"
    elif ! passes "$1/test" "${7:-*$(stem_of "$3")*/!(*_takes_seconds)}" 300; then
        echo caught
    elif [ -n "$7" ] && "$1/test" --jobs 1 --filter "$7" 2>&1 | grep -q 'Tested: 0 '; then
        echo "UNTESTED $3: $5: no test is called $7"
    elif passes "$1/test" '*/!(*_takes_seconds)' 900 && passes "$1/test" '*/*_takes_seconds' 1800; then
        echo "SURVIVED $3: $5"
    else
        [ -z "${LATE:-}" ] ||
            echo "LATE     $3: $5: $("$1/test" --jobs 1 --fail-fast 2>&1 | sed -n 's/^.FAIL. \([^:]*\)::.*/\1/p' | head -1)"
        echo caught
    fi
}

runs_here() { # FLAG
    [ -z "$1" ] || grep -qw "$1" /proc/cpuinfo
}

# Intrinsics of wide vectors run on some processors only: such a fault tells of which, or another machine calls it SURVIVED.
names_its_flag() { # EXPRESSION FLAG
    case $1 in *_mm512_* | *_mm256_*) [ -n "$2" ] ;; esac
}

in_share() { # NUMBER
    [ -z "${SHARE:-}" ] || [ $(($1 % ${SHARE#*/} + 1)) -eq "${SHARE%/*}" ]
}

# Every `of`-th fault, from number `first` on.
part() { # FIRST OF ROOM=OBJECTS…
    first=$1 of=$2 number=0
    shift 2
    while IFS=$tab read -r where expression what filter flag; do
        case $where in '' | '#'*) continue ;; esac
        number=$((number + 1))
        [ $((number % of)) -eq "$first" ] || continue
        case $where$tab$expression$tab$what$tab$filter in *"${ONLY:-}"*) ;; *) continue ;; esac
        in_share $((number / of)) || continue
        names_its_flag "$expression" "$flag" || {
            echo "UNMARKED ${where#* }: $what: its loops need a flag that the fifth column does not name"
            echo "$what" >>"$work/tried.$first"
            continue
        }
        runs_here "$flag" || {
            echo "SKIPPED  ${where#* }: $what: no $flag here"
            continue
        }
        echo "$what" >>"$work/tried.$first"
        room=${where%% *}
        for argument in "$@"; do case $argument in "$room="*) list=${argument#*=} ;; esac; done
        try "$work/$first" "$room" "${where#* }" "$expression" "$what" "$list" "$filter"
    done <harness/test/mutations/mutations.txt
}

parts=$(nproc 2>/dev/null || echo 2)
p=0
while [ "$p" -lt "$parts" ]; do
    part "$p" "$parts" "$@" >"$work/said.$p" &
    p=$((p + 1))
done
wait
wanted=$(cat "$work"/tried.* 2>/dev/null | wc -l)
caught=$(cat "$work"/said.* | grep -c '^caught$')
cat "$work"/said.* | grep -v '^caught$'
echo "mutations of the bound, acceptance and metric functions${SHARE:+, share $SHARE}: $caught of $wanted caught"
[ "$caught" -eq "$wanted" ]

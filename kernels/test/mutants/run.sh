#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# run.sh BUILD [NAME…]
#
# Builds every mutant and legal variant of mutants.txt (our own kernels with patches/NAME.patch applied to a copy of their
# sources), runs it through the real worker on the cases of the operators that it touches, and prints which catch it, per
# dtype; as many at a time as there are processors. Exit 1 if a mutant is caught by fewer than two cases in a dtype that it
# touches, or if a case reports a legal variant falsely.
#
# A mutant is first run on the cases that caught it before (caught.txt), then on an eighth of its cases, then on all:
# each only if the cases before were not enough. UPDATE=1 runs at least an eighth and writes new rows of the mutants it ran.
# A variant is run on all cases, in a CI on one in sixteen, with each of SEEDS (1). MUTANT_CPU_…: of the CPU backend, and run
# on it; …_TILED_… and …_WIDE_…: of these routes of BACKEND, all others of its route portable.
# SHARE=K/N: the K-th of N shares of the list. LEVEL=standard, BACKEND=vulkan and MAKE=make may be set.
set -u
build=$1
shift
here=kernels/test/mutants
level=${LEVEL:-standard}
backend=${BACKEND:-vulkan}
# A make of its own: inside another one it must not share that one's job slots.
make="env -u MAKEFLAGS -u MFLAGS ${MAKE:-make}"
out=$build/mutants
mkdir -p "$out"
tab=$(printf '\t')

# The shaders that include a file of kernels/vulkan/lib, by way of others too, or have a variant for each row of it.
users() { # FILE
    for user in $(grep -rlE --include='*.glsl' --include='*.inc' --include='*.comp' "(\"|^//! rows )$(basename "$1")[\" ]" kernels/vulkan); do
        case $user in
        *.comp) basename "$user" .comp ;;
        *) users "$user" ;;
        esac
    done
}

# Whether all are rows of the class of functions, each of which has shaders of its own name.
functions="unary binary ternary activations gradients"
of_class() { # OPERATORS
    set -f
    for operator in $1; do
        grep -q "^[A-Z_]*($operator, " $(printf 'kernels/vulkan/lib/%s.inc ' $functions) || { set +f; return 1; }
    done
    set +f
}

# Copies the sources of the kernels and applies the patch. The objects of the healthy build serve a mutant wherever its patch
# changes nothing, and its shaders those operators of the class that it is not run on: what is to be compiled anew is deleted
# here, and a patched file keeps the time of the healthy one, so that make takes nothing else for old. Exit 1 where the patch
# does not apply.
prepare() { # NAME OPERATORS
    rm -rf "$out/$1/obj" "$out/$1/spv" "$out/$1/src"
    mkdir -p "$out/$1/src/kernels"
    cp -a kernels/vulkan kernels/cpu kernels/shapes "$out/$1/src/kernels/"
    patch -s -f -p1 -F 0 -d "$out/$1/src" <"$here/patches/$1.patch" || return 1
    cp -a "$build/kernels/obj" "$build/kernels/spv" "$out/$1/"
    touched=$(sed -n 's|^+++ b/||p' "$here/patches/$1.patch")
    rows_of=
    case $touched in
    *.comp* | *compile.sh*) ;;
    *) ! of_class "$2" || rows_of=$2 ;;
    esac
    for file in $touched; do
        touch -r "$file" "$out/$1/src/$file"
        case $file in
        *.c) rm -f "$out/$1/obj/${file%.c}.o" ;;
        *.comp) rm -f "$out/$1/spv/$(basename "$file" .comp)".* "$out/$1/obj/shaders/$(basename "$file" .comp)".* ;;
        *.glsl | *.inc)
            for stem in $(users "$file" | sort -u); do
                case "$rows_of: $functions " in :* | *" $stem "*) ;; *) continue ;; esac
                rm -f "$out/$1/spv/$stem.stamp" "$out/$1/obj/shaders/$stem".*
            done
            ;;
        *.h) find "$out/$1/obj/kernels" -name '*.o' -exec rm -f {} + ;;
        *.sh) rm -rf "$out/$1/spv" "$out/$1/obj/shaders" ;;
        esac
    done
    find "$out/$1/obj" -name '*.d' -exec rm -f {} +
}

# Ids of the cases that caught it, one a line: everything that is not a pass and not silent about the result.
caught() { # NAME
    sed -n 's/.*"id":"\([^"]*\)".*"status":"\(fail\|crash\|timeout\|error\)".*/\1/p' "$out/$1/results.jsonl"
}

# Those of one dtype.
caught_in() { # NAME DTYPE
    caught "$1" | grep "^[^/]*/[^/]*/$2/"
}

# Whether two cases at least caught it in each of these dtypes.
enough() { # NAME DTYPES
    for dtype in $2; do
        [ "$(caught_in "$1" "$dtype" | wc -l)" -ge 2 ] || return 1
    done
}

judge_mutant() { # NAME DTYPES
    for dtype in $2; do
        n=$(caught_in "$1" "$dtype" | wc -l)
        verdict=
        [ "$n" -ge 2 ] || verdict='   TOO FEW'
        printf '  %-10s %4d  %s%s\n' "$dtype" "$n" \
            "$(caught_in "$1" "$dtype" | sed 's|^[^/]*/||' | head -3 | tr '\n' ' ')" "$verdict"
    done
    if [ -n "${UPDATE:-}" ]; then
        for dtype in $2; do caught_in "$1" "$dtype" | head -3; done | tr '\n' ' ' | sed 's/ $//' >"$out/$1/caught"
    fi
}

# Runs it on some cases: their globs, excludes and shard. Exit status as of assay run.
try() { # NAME ARGUMENT…
    name=$1
    shift
    case $name in
    MUTANT_CPU_*) on=cpu ;;
    *_TILED_*) on=$backend+tiled ;;
    *_WIDE_*) on=$backend+wide ;;
    *) on=$backend+portable ;; # another route would hide what is wrong
    esac
    "$out/$name/assay" run "$@" --backend "$on" --level "$level" --jobs 1 --no-rerun --quiet \
        --results "$out/$name/results.jsonl" >"$out/$name/summary" 2>&1
}

# What a mutant or variant is run on, one attempt after the other. Sets status.
attempt() { # NAME OPERATORS DTYPES
    # An operator, or a glob over ids. Procedures take seconds each: only where a glob names them, or nothing does.
    globs= without="--exclude memory/* --exclude scaling/*/*/curve"
    set -f
    for operator in $2; do
        case $operator in
        */*) globs="$globs $operator" without= ;;
        *) globs="$globs */$operator/*" ;;
        esac
    done
    # shellcheck disable=SC2086
    if [ "$3" = - ]; then
        status=0
        : >"$out/$1/seeds"
        for seed in ${SEEDS:-1}; do
            try "$1" $globs $without ${CI:+--shard 1/16} --seed "$seed"
            result=$?
            [ "$result" -le "$status" ] || status=$result
            cat "$out/$1/results.jsonl" >>"$out/$1/seeds"
        done
        mv "$out/$1/seeds" "$out/$1/results.jsonl"
    else
        known=$(sed -n "s/^$1$tab//p" "$here/caught.txt" 2>/dev/null)
        if [ -n "$known" ] && [ -z "${UPDATE:-}" ] && { try "$1" $known || [ $? -eq 1 ]; } && enough "$1" "$3"; then
            status=1
        elif { try "$1" $globs $without --shard 1/8 || [ $? -eq 1 ]; } && enough "$1" "$3"; then
            status=1
        else
            try "$1" $globs $without
            status=$?
        fi
    fi
    set +f
}

one() { # NAME OPERATORS DTYPES WHAT
    printf '%s: %s\n' "$1" "$4"
    if ! prepare "$1" "$2" >"$out/$1/log" 2>&1; then
        echo "  FAILED: its patch does not apply; see $here/README.md:"
        tail -5 "$out/$1/log"
        return
    fi
    # Warnings are no errors here: a fault may leave a parameter unused.
    if ! SHADERS_OF=$rows_of $make -s WERROR= K="$out/$1" S="$out/$1/src/" "$out/$1/assay" >"$out/$1/log" 2>&1; then
        echo "  FAILED: it does not build:"
        tail -5 "$out/$1/log"
        return
    fi
    attempt "$1" "$2" "$3"
    if [ "$status" -gt 1 ]; then
        echo "  FAILED: it did not run:"
        tail -3 "$out/$1/summary"
    elif [ "$3" = - ]; then
        n=$(caught "$1" | wc -l)
        echo "  reported falsely by $n of $(grep -c '"id":' "$out/$1/results.jsonl") cases"
        [ "$n" -eq 0 ] || { echo "  FAILED: a legal variant is reported falsely"; caught "$1" | head -5 | sed 's/^/    /'; }
    else
        judge_mutant "$1" "$3"
    fi
    [ -n "${KEEP:-}" ] || rm -rf "$out/$1/obj" "$out/$1/spv" "$out/$1/src" "$out/$1/assay"
}

wanted() { # NAME, among those asked for
    name=$1
    shift
    [ $# -eq 0 ] && return 0
    case " $* " in *" $name "*) return 0 ;; esac
    return 1
}

# Every `of`-th of the list, from number `first` on.
part() { # FIRST OF NAME…
    first=$1 of=$2 number=0
    shift 2
    while IFS=$tab read -r name operators dtypes what <&3; do
        case $name in '' | '#'*) continue ;; esac
        wanted "$name" "$@" || continue
        number=$((number + 1))
        [ $((number % of)) -eq "$first" ] || continue
        [ -z "${SHARE:-}" ] || [ $((number / of % ${SHARE#*/} + 1)) -eq "${SHARE%/*}" ] || continue
        mkdir -p "$out/$name"
        one "$name" "$operators" "$dtypes" "$what" >"$out/$name/said"
        cat "$out/$name/said"
    done 3<"$here/mutants.txt"
}

rm -f "$out"/*/said
parts=$(nproc 2>/dev/null || echo 2)
p=0
while [ "$p" -lt "$parts" ]; do
    part "$p" "$parts" "$@" &
    p=$((p + 1))
done
wait
if [ -n "${UPDATE:-}" ]; then # those that were not run keep their rows
    {
        sed -n '1,2p' "$here/mutants.txt"
        echo "#"
        echo "# NAME<TAB>cases that caught it, three of each dtype: tried first. Written by make mutants UPDATE=1."
        grep -v '^#' "$here/mutants.txt" | cut -f1 | while read -r name; do
            if [ -e "$out/$name/said" ]; then
                caught=$(cat "$out/$name/caught" 2>/dev/null)
            else
                caught=$(sed -n "s/^$name$tab//p" "$here/caught.txt")
            fi
            [ -z "$caught" ] || printf '%s\t%s\n' "$name" "$caught"
        done
    } >"$out/caught.txt"
    cp "$out/caught.txt" "$here/caught.txt"
fi
echo "$(cat "$out"/*/said | grep -c '^MUTANT') mutants, $(cat "$out"/*/said | grep -c '^VARIANT') legal variants${SHARE:+, share $SHARE}"
if cat "$out"/*/said | grep -q 'TOO FEW$\|^  FAILED'; then
    echo "FAILED: a wrong kernel was caught by fewer than two cases, or a legal one reported falsely"
    exit 1
fi

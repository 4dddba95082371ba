#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# run.sh BUILD [NAME…]
#
# Builds every mutant and legal variant of mutants.txt (our own shaders and launch plans with one -D more), runs it
# through the real worker on the cases of the operators that it touches, and prints which catch it, per dtype. Exit 1
# if a mutant is caught by fewer than two cases in a dtype that it touches, or if a legal variant is accused by any.
# LEVEL=standard, BACKEND=vulkan and MAKE=make may be set.
set -u
build=$1
shift
here=kernels/test/mutants
level=${LEVEL:-standard}
# A make of its own: inside another one it must not share that one's job slots.
make="env -u MAKEFLAGS -u MFLAGS ${MAKE:-make} -j$(nproc 2>/dev/null || echo 2)"
out=$build/mutants
mkdir -p "$out"
tab=$(printf '\t')
failed=0 mutants=0 variants=0

# The objects of the healthy build serve a mutant wherever its macro does not occur.
prepare() { # NAME
    rm -rf "$out/$1/obj" "$out/$1/spv"
    mkdir -p "$out/$1"
    cp -a "$build/kernels/obj" "$build/kernels/spv" "$out/$1/"
    for file in $(grep -rlw --include='*.c' --include='*.h' --include='*.comp' --include='*.glsl' "$1" kernels/vulkan); do
        case $file in
        *.c) rm -f "$out/$1/obj/${file%.c}.o" ;;
        *.comp) rm -f "$out/$1/spv/$(basename "$file" .comp)".* ;;
        *.glsl) rm -f "$out/$1"/spv/* ;;
        *.h) find "$out/$1/obj/kernels" -name '*.o' -exec rm -f {} + ;;
        esac
    done
    find "$out/$1/obj" -name '*.d' -exec rm -f {} +
    rm -f "$out/$1/obj/shaders.c" "$out/$1/obj/shaders.o"
}

# Ids of the cases that caught it, one a line: everything that is not a pass and not silent about the result.
caught() { # RESULTS
    sed -n 's/.*"id":"\([^"]*\)".*"status":"\(fail\|crash\|timeout\|error\)".*/\1/p' "$1"
}

# Whether two cases at least caught it in each of these dtypes.
enough() { # NAME DTYPES
    for dtype in $2; do
        [ "$(caught "$out/$1/results.jsonl" | grep -c "^[^/]*/[^/]*/$dtype/")" -ge 2 ] || return 1
    done
}

judge_mutant() { # NAME DTYPES
    for dtype in $2; do
        n=$(caught "$out/$1/results.jsonl" | grep -c "^[^/]*/[^/]*/$dtype/")
        first=$(caught "$out/$1/results.jsonl" | grep "^[^/]*/[^/]*/$dtype/" | sed 's|^[^/]*/||' | head -3 | tr '\n' ' ')
        verdict=
        if [ "$n" -lt 2 ]; then
            verdict='   TOO FEW'
            failed=1
        fi
        printf '  %-10s %4d  %s%s\n' "$dtype" "$n" "$first" "$verdict"
    done
}

while IFS=$tab read -r name operators dtypes what <&3; do
    case $name in '' | '#'*) continue ;; esac
    if [ $# -gt 0 ]; then
        case " $* " in *" $name "*) ;; *) continue ;; esac
    fi
    prepare "$name"
    # shellcheck disable=SC2086
    if ! $make -s K="$out/$name" KERNEL_FLAGS="-D$name" "$out/$name/assay" >"$out/$name/log" 2>&1; then
        echo "$name does not build:"
        tail -5 "$out/$name/log"
        failed=1
        continue
    fi
    printf '%s: %s\n' "$name" "$what"
    # An operator, or a glob over ids. Procedures take seconds each: only where a glob names them, or nothing does.
    globs= without="--exclude memory/* --exclude scaling/*/*/curve"
    set -f
    for operator in $operators; do
        case $operator in
        */*) globs="$globs $operator" without= ;;
        *) globs="$globs */$operator/*" ;;
        esac
    done
    # Of a mutant an eighth of the cases, and all of them only if that is not enough. Of a variant all, in a CI one in sixteen.
    part="--shard 1/8"
    if [ "$dtypes" = - ]; then
        part=${CI:+--shard 1/16}
    fi
    while :; do
        # shellcheck disable=SC2086
        "$out/$name/assay" run $globs $without $part --backend "${BACKEND:-vulkan}" --level "$level" --no-rerun \
            --quiet --results "$out/$name/results.jsonl" >"$out/$name/summary" 2>&1
        status=$?
        if [ -z "$part" ] || [ "$dtypes" = - ] || { [ "$status" -le 1 ] && enough "$name" "$dtypes"; }; then break; fi
        part=
    done
    set +f
    if [ "$status" -gt 1 ]; then
        echo "  did not run:"
        tail -3 "$out/$name/summary"
        failed=1
    elif [ "$dtypes" = - ]; then
        variants=$((variants + 1))
        n=$(caught "$out/$name/results.jsonl" | grep -c .)
        echo "  accused by $n of $(($(wc -l <"$out/$name/results.jsonl") - 1)) cases"
        [ "$n" -eq 0 ] || { caught "$out/$name/results.jsonl" | head -5 | sed 's/^/    /'; failed=1; }
    else
        mutants=$((mutants + 1))
        judge_mutant "$name" "$dtypes"
    fi
    [ -n "${KEEP:-}" ] || rm -rf "$out/$name/obj" "$out/$name/spv" "$out/$name/assay"
done 3<"$here/mutants.txt"
echo "$mutants mutants, $variants legal variants"
if [ "$failed" -ne 0 ]; then
    echo "FAILED: a wrong kernel was caught by fewer than two cases, or a legal one accused"
    exit 1
fi

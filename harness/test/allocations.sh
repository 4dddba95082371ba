#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# allocations.sh ASSAY LIBRARY POINTS [FOLDER]
#
# Makes allocations fail (LIBRARY is harness/test/programs/allocation_faults.c) at POINTS places that are spread over a run
# of a few cases: in the worker and in the parent, on cpu and on vulkan; one allocation, three in turn, or all from there
# on; without caches, and with caches that all points share.
#
# At each point every record must equal that of a run without faults, except for times, measured series and the peak of
# memory, or have status error, crash or missing (or fail, if the driver of a device had no memory and went on). A run
# with such a record, or without a record that should be there, must not exit with status 0. assay itself must neither
# die of a signal nor hang. Exits with 1 if a point does otherwise; FOLDER then keeps what it wrote.
#
# ONLY="BACKEND ROLE" runs a quarter of the points, SHARE=K/N the K-th of N shares of them, JOBS=N so many at a time.
set -u
cases='elementwise/mul/float16/transposed elementwise/exp/float32/ordinary elementwise/sgn/complex64/specials
    norm/layer_norm/float32/eps-left-out norm/vector_norm/float32/integers-100-p0 norm/batch_norm_backward/float32/train-3d
    linalg/logdet/float32/moler-n4 linalg/matmul/float32/random-9x7x5 linalg/matrix_exp/float64/generator-n5-times-50
    sparse/coalesce/float32/duplicates sparse/csr_mm/float32/random-9x7 sparse/csr_mm/float32/refuse-column-twice
    sparse/sampled_addmm/float32/alpha-beta inplace/add_/float32/self-columns inplace/add_/float32/refuse-own-transpose
    reduction/sum/float32/transposed reduction/softmax/float16/cube-1 reduction/argmax/int64/length-1
    loss/cross_entropy/float32/none-masked loss/mse_loss/float32/random-mean amp/grad_scaler/float32/block
    quantization/int8_linear/int8/random conversion/clone/int64/transposed-block
    memory/logdet/float32/epochs scaling/sgn/float16/invariance'

# Runs the cases into FOLDER, with the shared caches or with none. Standard output and error go to FOLDER/output, the
# exit status is assay's.
run() { # FOLDER BACKEND CACHE
    folder=$1 backend=$2 cache=$3
    set -- --level standard --backend "$backend" --jobs 1 --no-rerun --time-limit 20
    [ "$cache" != none ] || set -- "$@" --no-cache
    # shellcheck disable=SC2086
    XDG_CACHE_HOME=$work/cache timeout -s KILL 120 "$assay" run $cases "$@" --results "$folder/results.jsonl" \
        --report "$folder/report" >"$folder/output" 2>&1
}

# Without what differs from run to run, one record a line, in the order of their ids.
records() { # FOLDER
    [ -f "$1/results.jsonl" ] || return 0
    sed -e 's/,"\(device_ns\|wall_ns\|reference_ns\|case_ns\|peak_bytes\|remembered\)":[0-9]*//g' -e 's/,"started":"[^"]*"//' \
        -e 's/,"command":"\([^"\\]\|\\.\)*"//' -e 's/,"series":\[{.*}\]//' "$1/results.jsonl" | LC_ALL=C sort
}

junit() { # FOLDER
    sed -e 's/ time="[^"]*"//g' -e 's/ timestamp="[^"]*"//g' -e '/ name="command" /d' "$1/report/junit.xml" 2>&1
}

# A driver of Vulkan that goes on without its memory computes wrong results, which fail, as they should.
allowed() { # FOLDER
    if grep -s -A 3 '(\(malloc\|calloc\|realloc\|aligned_alloc\|posix_memalign\)+' "$1/hit" | grep -q 'libvulkan_\|libLLVM'; then
        echo 'error\|crash\|missing\|fail'
    else
        echo 'error\|crash\|missing'
    fi
}

# One point; prints what came of it in a word, and more where it is wrong.
point() { # BACKEND ROLE AT COUNT CACHE
    backend=$1 role=$2 at=$3 count=$4 cache=$5
    folder=$work/$backend-$role-$at-$count-$cache
    mkdir -p "$folder"
    ASSAY_FAIL_ROLE=$role ASSAY_FAIL_AT=$at ASSAY_FAIL_COUNT=$count ASSAY_FAIL_HIT=$folder/hit LD_PRELOAD=$library \
        run "$folder" "$backend" "$cache"
    status=$?
    records "$folder" >"$folder/records"
    LC_ALL=C comm -13 "$work/$backend/records" "$folder/records" >"$folder/other"
    others=$(wc -l <"$folder/other")
    missing=$(($(wc -l <"$work/$backend/records") - $(wc -l <"$folder/records")))
    wrong=$(grep -v "\"status\":\"\($(allowed "$folder")\)\"" "$folder/other" | grep '"id":')
    if [ "$status" -ge 124 ]; then
        verdict="WRONG exit status $status: $(tail -1 "$folder/output")"
    elif [ -n "$wrong" ]; then
        verdict="WRONG record: $(echo "$wrong" | head -1)"
    elif [ $((others + missing)) -ne 0 ] && [ "$status" -eq 0 ]; then
        verdict="WRONG exit status 0: $others other lines, $missing missing: $(head -1 "$folder/other")"
    elif [ "$status" -eq 0 ] && [ "$(junit "$folder")" != "$(junit "$work/$backend")" ]; then
        verdict="WRONG exit status 0: another JUnit report"
    elif [ ! -s "$folder/hit" ]; then
        verdict=missed
    elif [ "$status" -ne 0 ]; then
        verdict=reported
    else
        verdict=survived
    fi
    case $verdict in
    WRONG*) echo "$verdict ($backend $role $at $count $cache, $folder)" ;;
    *) rm -rf "$folder" && echo "$verdict" ;;
    esac
}

# "BACKEND ROLE AT COUNT CACHE" of so many points: a quarter of them before the work begins, the others after that.
places() { # BACKEND ROLE CACHE POINTS
    rm -f "$work/sum"
    ASSAY_FAIL_ROLE=$2 ASSAY_FAIL_SUM=$work/sum LD_PRELOAD=$library run "$work/other" "$1" "$3"
    awk -v of="$1 $2" -v cache="$3" -v points="$4" 'NR == 1 {
        early = int(points / 4)
        for (k = 0; k < points; k++) {
            at = k < early ? (k + 0.5) * $1 / early : $1 + (k - early + 0.5) * ($2 - $1) / (points - early)
            print of, int(at) + 1, k % 4 == 3 ? 0 : k % 4 == 1 ? 3 : 1, cache
        }
    }' "$work/sum"
}

assay=$1 library=$2
if [ "${3:-}" = point ]; then # one of those that this script starts side by side
    work=$4
    shift 4
    point "$@"
    exit 0
fi
points=$3
if [ $# -gt 3 ]; then
    work=$4 && mkdir -p "$work"
else
    work=$(mktemp -d)
fi
started=$(date +%s)
for backend in cpu vulkan; do
    mkdir -p "$work/$backend" "$work/other"
    run "$work/$backend" "$backend" none || {
        echo "no run without faults on $backend: $(tail -1 "$work/$backend/output")" >&2
        exit 1
    }
    records "$work/$backend" >"$work/$backend/records"
    run "$work/other" "$backend" shared # so that the shared caches know every case
    for role in worker parent; do
        for cache in none shared; do
            [ "${ONLY:-$backend $role}" != "$backend $role" ] || places "$backend" "$role" "$cache" $((points / 8))
        done
    done
done | awk -v share="${SHARE:-1/1}" '{ split(share, part, "/") } NR % part[2] == part[1] % part[2]' |
    LC_ALL=C sort -k 3,3 >"$work/points" # kinds of points take turns
# shellcheck disable=SC2016
xargs -P "${JOBS:-$(nproc 2>/dev/null || echo 2)}" -n 5 sh "$0" "$assay" "$library" point "$work" \
    <"$work/points" >"$work/verdicts"
grep WRONG "$work/verdicts"
sort "$work/verdicts" | sed 's/^WRONG.*/wrong/' | uniq -c | awk -v seconds=$(($(date +%s) - started)) '
    { n += $1; text = text (text ? ", " : "") $1 " " $2 } END { print n " points in " seconds " s: " text }'
if grep -q WRONG "$work/verdicts" || [ ! -s "$work/verdicts" ]; then
    exit 1
fi
[ $# -gt 3 ] || rm -rf "$work"

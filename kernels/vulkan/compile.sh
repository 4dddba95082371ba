#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# compile.sh SHADER.comp OUTDIR
#
# Compiles every variant of one shader to SPIR-V 1.5 (Vulkan 1.2) as OUTDIR/STEM.VARIANT.spv; optimised, for drivers make
# pipelines of smaller modules in less time and memory. A shader names its variants in comment lines:
#                              //! variant float16 -DDTYPE=FLOAT16
# or one for each row of a list: //! rows unary.inc BITS REAL_ : float16 -DFLOAT16
# The second form makes, for each row of lib/unary.inc whose kind is named before ":", a variant such as exp.float16 with
# -DTERM=… -DREAL_ for the row REAL_(exp, …). A line "//! wide" adds to every variant but those of pairs a second one for
# route wide: NAME_wide, compiled with -DWIDE; "//! wide BITS REAL_" adds it only to rows of these kinds,
# and "//! wide of 4 bytes" to all but those of elements of 8 bytes, whose kernels would take a third of the time of a build.
# SHADERS_OF='exp pow' compiles only the rows of these names and leaves the other variants in OUTDIR unchanged
# (kernels/test/mutants/run.sh).
set -eu
shader=$1 out=$2
stem=$(basename "$shader" .comp)
lib=$(dirname "$shader")/../lib
[ -n "${SHADERS_OF:-}" ] || rm -f "$out/$stem".*.spv
grep -q -E '^//! (variant|rows) ' "$shader" || { echo "$shader: names no '//! variant NAME …'" >&2; exit 1; }
wide=$(sed -n 's|^//! wide *|all |p' "$shader")
variants() { # VARIANT KIND FLAG…
    variant=$1 kind=$2
    shift 2
    glsl "$variant" "$@"
    case "$*" in *-DPAIRED*) return ;; esac
    case "$wide " in
    'all of 4 bytes ') case "$*" in *FLOAT64* | *INT64*) ;; *) glsl "${variant}_wide" "$@" -DWIDE ;; esac ;;
    'all  ' | *" $kind "*) glsl "${variant}_wide" "$@" -DWIDE ;;
    esac
}
glsl() { # VARIANT FLAG…
    variant=$1
    shift
    glslc --target-env=vulkan1.2 -O -I "$lib" "$@" -o "$out/$stem.$variant.spv" "$shader" </dev/null
}
sed -n 's|^//! variant ||p' "$shader" | while read -r name flags; do
    # shellcheck disable=SC2086
    variants "$name" none $flags
done
sed -n 's|^//! rows ||p' "$shader" | while read -r list rest; do
    kinds=${rest%% : *} variant=${rest#* : }
    dtype=${variant%% *} flags=${variant#* }
    for kind in $kinds; do
        sed -n "s|^$kind(\([a-z0-9_]*\), \(.*\))\$|\1 \2|p" "$lib/$list" | while read -r name term; do
            case " ${SHADERS_OF:-$name} " in *" $name "*) ;; *) continue ;; esac
            # shellcheck disable=SC2086
            variants "$name.$dtype" "$kind" $flags "-D$kind" "-DTERM=$term"
        done
    done
done

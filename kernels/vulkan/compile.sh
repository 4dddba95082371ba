#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# compile.sh SHADER.comp OUTDIR [-D…]
#
# Compiles every variant of one shader to SPIR-V 1.5 (Vulkan 1.2) as OUTDIR/STEM.VARIANT.spv. A shader names its
# variants in comment lines:   //! variant float16 -DDTYPE=FLOAT16
set -eu
shader=$1 out=$2
shift 2
stem=$(basename "$shader" .comp)
rm -f "$out/$stem".*.spv
grep -q '^//! variant ' "$shader" || { echo "$shader: names no '//! variant NAME …'" >&2; exit 1; }
sed -n 's|^//! variant ||p' "$shader" | while read -r name flags; do
    # shellcheck disable=SC2086
    glslc --target-env=vulkan1.2 -O0 -I kernels/vulkan/lib $flags "$@" -o "$out/$stem.$name.spv" "$shader" </dev/null
done

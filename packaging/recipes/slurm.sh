#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# Slurm: runs one part per task of a job array, on many machines or GPUs, then makes one report. After `make install` or
# `pip install`, submit it with (R is the folder of this file)
#
#   part=$(sbatch --parsable --array=1-16 --gpus=1 $R/slurm.sh run --level standard --backend vulkan)
#   sbatch --dependency=afterany:"${part%%;*}" $R/slurm.sh merge
#
# in a directory that all machines see. After `export ASSAY_COSTS=assay-costs.jsonl` the parts of the next run have equal durations,
# and after `export ASSAY_CACHE=assay-cache` they find the truths of the last one. A part that was killed leaves too few records:
# merge names it, and the gate fails.
#SBATCH --job-name=assay
#SBATCH --output=assay-%A-%a.log
set -eu
# sbatch runs a copy of this script in another directory: the gate is then in that of the submission, or with the program.
program=$(command -v "${ASSAY:-assay}" || true)
for folder in "$(dirname "$0")" "${SLURM_SUBMIT_DIR:-.}" "${SLURM_SUBMIT_DIR:-.}/packaging/recipes" \
    "${program%/*}/../share/assay/recipes" "${program%/*}"/../lib/python3*/site-packages/assay_program/share/assay/recipes; do
    gate=$folder/gate
    [ ! -x "$gate" ] || break
done
[ -x "$gate" ] || { echo "slurm.sh: there is no gate in ${SLURM_SUBMIT_DIR:-.}, and none with the program assay: copy it there" >&2; exit 2; }
case ${1:-} in
merge) exec "$gate" merge "${ASSAY_REPORT:-assay-report}"/part-*.jsonl ;;
*) exec "$gate" "$@" ;;
esac

#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# Slurm: runs one part per task of a job array, on many machines or GPUs, then makes one report. Submit it with
#
#   part=$(sbatch --parsable --array=1-16 --gpus=1 packaging/recipes/slurm.sh run --level standard --backend vulkan)
#   sbatch --dependency=afterany:"${part%%;*}" packaging/recipes/slurm.sh merge
#
# in a directory that all machines see. After `export ASSAY_COSTS=assay-costs.jsonl` the parts of the next run have equal durations. A
# part that was killed leaves too few records: merge names it, and the gate fails.
#SBATCH --job-name=assay
#SBATCH --output=assay-%A-%a.log
set -eu
gate=$(dirname "$0")/gate
# sbatch runs a copy of this script in another directory, so the gate is found from the directory of the submission.
[ -x "$gate" ] || gate=${SLURM_SUBMIT_DIR:?is not set: submit with sbatch}/packaging/recipes/gate
case ${1:-} in
merge) exec "$gate" merge "${ASSAY_REPORT:-assay-report}"/part-*.jsonl ;;
*) exec "$gate" "$@" ;;
esac

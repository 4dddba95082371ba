/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* jax, jax:cpu, jax:gpu, jax:tpu: JAX through harness/adapters/jax_adapter.py; without a word its default
 * device. */

#include "harness/exec/adapter.h"

ADAPTER_BACKEND(jax, "jax, jax:cpu, jax:gpu or jax:tpu, JAX's own functions", .what = "platform",
                .selectors = "jax, jax:cpu, jax:gpu or jax:tpu", .library = "JAX");

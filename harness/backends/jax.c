/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The backend jax (jax:cpu, jax:gpu, jax:tpu): JAX through harness/adapters/jax_adapter.py. Without a
 * selector it uses JAX's default device. */

#include "harness/exec/adapter.h"

ADAPTER_BACKEND(jax, "jax, jax:cpu, jax:gpu or jax:tpu, JAX's own functions", .what = "platform",
                .selectors = "jax, jax:cpu, jax:gpu or jax:tpu", .library = "JAX");

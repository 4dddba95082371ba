// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors

// a * b = p + e exactly, but for underflow (Dekker): halves of 12 bits.
float product_exact(float a, float b, out float e)
{
    EXACT float ah = uintBitsToFloat(floatBitsToUint(a) & 0xfffff000u);
    EXACT float bh = uintBitsToFloat(floatBitsToUint(b) & 0xfffff000u);
    EXACT float al = a - ah;
    EXACT float bl = b - bh;
    EXACT float p = a * b;
    EXACT float rest = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    e = rest;
    return p;
}

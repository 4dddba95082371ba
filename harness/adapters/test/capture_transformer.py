# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""A small causal transformer, for the tests of assay_capture. Its attention is written out, so that softmax is an operator."""

import math

import torch
from torch import nn

import capture_programs

WORDS, WIDTH, HEADS, LENGTH = 11, 16, 2, 6


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.all, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = (part.view(batch, length, HEADS, -1).transpose(1, 2) for part in self.all(x).chunk(3, -1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(WIDTH / HEADS)
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        weights = torch.softmax(scores.masked_fill(future, -math.inf), -1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, WIDTH))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.attention, self.norm2 = nn.LayerNorm(WIDTH), Attention(), nn.LayerNorm(WIDTH)
        self.wide, self.drop, self.narrow = nn.Linear(WIDTH, 2 * WIDTH), nn.Dropout(0.1), nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.narrow(self.drop(torch.nn.functional.gelu(self.wide(self.norm2(x)))))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Parameter(torch.randn(LENGTH, WIDTH))
        self.blocks = nn.ModuleList(Block() for _ in range(2))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS)

    def forward(self, x):
        x = self.words(x) + self.places
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).flatten(0, 1)


def batch():
    words = torch.randint(WORDS, (3, LENGTH + 1))
    return words[:, :-1], words[:, 1:].flatten()


capture_programs.main(Transformer, lambda parameters: torch.optim.AdamW(parameters, lr=1e-3), batch)

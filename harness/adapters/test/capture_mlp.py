# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""A perceptron with batch_norm, layer_norm, dropout and a softmax gate, for the tests of assay_capture."""

import torch
from torch import nn

import capture_programs


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.normalized = nn.Linear(12, 16), nn.BatchNorm1d(16)
        self.gate, self.layer = nn.Linear(16, 16), nn.LayerNorm(16)
        self.tail = nn.Sequential(nn.Tanh(), nn.Dropout(0.25), nn.Linear(16, 8), nn.SiLU(inplace=True), nn.Linear(8, 5))

    def forward(self, x):
        x = torch.relu(self.normalized(self.first(x)))
        x = self.layer(x * torch.softmax(self.gate(x), -1) + x.mean(-1, keepdim=True))
        return self.tail(x)


capture_programs.main(Mlp, lambda parameters: torch.optim.SGD(parameters, lr=0.05, momentum=0.9, weight_decay=0.01),
                      lambda: (torch.randn(20, 12), torch.randint(5, (20,))))

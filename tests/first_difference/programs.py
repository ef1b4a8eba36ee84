# SPDX-License-Identifier: Apache-2.0
"""Three small programs, each with differences that can be planted: python programs.py MODEL [PLANT].

The line in which the first difference of a plant begins ends in "plant: NAME" or "plant: NAME in MODULE". SAVE=FILE
stores the outputs of all linear layers by step and module, from which the true distances are computed.
"""
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

MODEL, PLANT = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
kept = {}


def planted(name, step):
    return PLANT == name and step == 2


def flip_bit(weight, place, bit):
    with torch.no_grad():
        weight.view(-1).view(torch.int32)[place] ^= 1 << bit


def tf32(x):
    return x + ((x.detach().view(torch.int32) + 0x1000 & ~0x1FFF).view(torch.float32) - x).detach()


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm1, self.qkv, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.norm2, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x, step, number):
        q, k, v = self.qkv(self.norm1(x)).chunk(3, -1)  # plant: layer_weight_bit in parts.blocks.1
        scale = q.shape[-1] ** -0.5
        scores = q @ k.transpose(1, 2)
        scores = scores * (scale * (1 + 2**-20) if planted("scale", step) and number == 1 else scale)  # plant: scale in parts.blocks.1
        in_half = planted("softmax_in_half", step) and number == 0
        weights = scores.half().softmax(-1).float() if in_half else scores.softmax(-1)  # plant: softmax_in_half in parts.blocks.0
        if planted("layer_seed", step) and number == 1:
            torch.manual_seed(5)
        weights = F.dropout(weights, 0.1)  # plant: layer_seed in parts.blocks.1
        mixed = weights @ (tf32(v) if planted("layer_tf32", step) and number == 1 else v)  # plant: layer_tf32 in parts.blocks.1
        x = x + self.out(mixed)
        h = self.norm2(x)
        approximate = "tanh" if planted("gelu_tanh", step) and number == 0 else "none"
        h = F.gelu(self.up(h), approximate=approximate)  # plant: gelu_tanh in parts.blocks.0
        return x + self.down(h)


def transformer():
    model = nn.ModuleDict({"embed": nn.Embedding(40, 24), "head": nn.Linear(24, 40)})
    blocks = nn.ModuleList(Block(24) for _ in range(2))
    model["blocks"] = blocks
    if PLANT == "layer_weight_bit":
        flip_bit(blocks[1].qkv.weight, 77, 13)
    if PLANT == "embedding_bit":
        flip_bit(model["embed"].weight, 30, 20)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)

    def loss_of(step):
        ids = torch.randint(40, (6, 17))
        if planted("rank", step):
            ids = ids.roll(1, 0)
        x = model["embed"](ids[:, :-1])  # plant: rank, plant: embedding_bit
        for number, block in enumerate(blocks):
            x = block(x, step, number)
        logits = model["head"](x)
        return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())

    return model, optimizer, loss_of


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * 1.0  # plant: backward

    @staticmethod
    def backward(context, gradient):
        return gradient * (1 + 2**-12 if PLANT == "backward" else 1.0)


def convnet():
    model = nn.ModuleDict({"conv": nn.Conv2d(1, 8, 3), "hidden": nn.Linear(8 * 36, 32), "head": nn.Linear(32, 4)})
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    if PLANT == "bias_bit":
        flip_bit(model["hidden"].bias, 3, 15)

    def loss_of(step):
        x = torch.randn(16, 1, 8, 8)
        y = model["conv"](x * (1 + 2**-20) if planted("batch", step) else x)  # plant: batch
        y = F.relu(y - 1e-4 if planted("activation", step) else y)  # plant: activation
        y = F.avg_pool2d(F.pad(y, (0, 0)), 1).flatten(1)
        y = model["hidden"](y)  # plant: bias_bit
        y = torch.tanh(y.double()).float() if planted("type", step) else torch.tanh(y)  # plant: type
        y = Scaled.apply(model["head"](y + 2**-16 if planted("shift", step) else y))  # plant: shift in parts.head
        total = (y * y).flip(0).sum() if planted("order", step) else (y * y).sum()  # plant: order
        return F.cross_entropy(y, torch.arange(16) % 4) + 0.001 * total

    return model, optimizer, loss_of


def recurrent():
    model = nn.ModuleDict({"cell": nn.GRUCell(8, 16), "head": nn.Linear(16, 3)})
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

    def loss_of(step):
        if planted("data_seed", step):
            torch.manual_seed(7)
        sequence = torch.randn(5, 7, 8)  # plant: data_seed
        state = torch.zeros(7, 16)
        for place, x in enumerate(sequence):
            state = model["cell"](x, state)
            state = torch.clamp(state, -1, 0.5 if planted("clamp", step) and place == 3 else 1)  # plant: clamp
        with torch.autocast("cpu", torch.bfloat16, enabled=planted("autocast", step)):
            out = model["head"](state)  # plant: autocast
        logits = F.log_softmax(out.float(), -1)
        return F.nll_loss(logits, torch.arange(7) % 3)

    return model, optimizer, loss_of


class Whole(nn.Module):
    """The root module, so that the modules of a program have paths."""

    def __init__(self, parts, loss_of):
        super().__init__()
        self.parts, self.loss_of = parts, loss_of

    def forward(self, step):
        return self.loss_of(step)


def keep_outputs(whole, step):
    def keep(name):
        return lambda module, inputs, output: kept.update({(step(), name): output.detach().clone()})

    for name, module in whole.named_modules():
        if isinstance(module, nn.Linear):
            module.register_forward_hook(keep(name))


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    parts, optimizer, loss_of = {"transformer": transformer, "convnet": convnet, "recurrent": recurrent}[MODEL]()
    whole = Whole(parts, loss_of)
    current = [0]
    if "SAVE" in os.environ:
        keep_outputs(whole, lambda: current[0])
    for step in range(1, 4):
        current[0] = step
        whole(step).backward()
        torch.nn.utils.clip_grad_norm_(whole.parameters(), 0.05 if planted("clipping", step) else 1e3)  # plant: clipping
        for group in optimizer.param_groups:
            group["lr"] *= 1.01 if planted("learning_rate", step) else 1.0
        if planted("momentum", step):
            flip_bit(optimizer.state[parts["hidden"].bias]["momentum_buffer"], 4, 14)
        optimizer.step()  # plant: learning_rate, plant: momentum
        optimizer.zero_grad()
    if "SAVE" in os.environ:
        torch.save(kept, os.environ["SAVE"])


main()

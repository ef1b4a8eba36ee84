# SPDX-License-Identifier: Apache-2.0
"""Times long runs of one op between two CUDA events, each in a module of its name, and prints the milliseconds as JSON."""
import json

import torch

is_large = torch.cuda.get_device_properties(0).total_memory > 16 << 30
SIZE = 4096 if is_large else 256
CALLS = 30


class Repeated(torch.nn.Module):
    def __init__(self, function, arguments):
        super().__init__()
        self.function, self.arguments = function, arguments

    def forward(self):
        for _ in range(CALLS):
            self.function(*self.arguments)


class All(torch.nn.Module):
    def __init__(self):
        super().__init__()
        full = [torch.ones(SIZE, SIZE, device="cuda") for _ in range(3)]
        half = [tensor.half() for tensor in full]
        for name, tensors in {"fp16": half, "fp32": full}.items():
            out = {"out": tensors[2]}
            self.add_module(f"warm_{name}", Repeated(lambda a, b, out=out: torch.mm(a, b, **out), tensors[:2]))
            self.add_module(f"mm_{name}", Repeated(lambda a, b, out=out: torch.mm(a, b, **out), tensors[:2]))
        self.add_module("product_fp32", Repeated(lambda a, b, out={"out": full[2]}: torch.mul(a, b, **out), full[:2]))

    def forward(self):
        times = {}
        for name, part in self.named_children():
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda.synchronize()
            start.record()
            part()
            end.record()
            torch.cuda.synchronize()
            times[name] = start.elapsed_time(end)
        return times


with torch.no_grad():
    print(json.dumps(All()()))

# SPDX-License-Identifier: Apache-2.0
"""Times CALLS calls of each op between two CUDA events, in a module that is named after the op. Prints the milliseconds
as JSON. To load the op's kernel, calls it first in a module with the prefix "warm_". Sizes are so large that the GPU
never waits for the host."""
import json

import torch

is_large = torch.cuda.get_device_properties(0).total_memory > 16 << 30
SIZE = 8192 if is_large else 256
CALLS = 30


class Repeated(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self):
        for _ in range(CALLS):
            self.function()


class All(torch.nn.Module):
    def __init__(self):
        super().__init__()
        full = [torch.ones(SIZE, SIZE, device="cuda") for _ in range(3)]
        half = [tensor.half() for tensor in full]
        ops = {"mm_fp16": (torch.mm, half), "mm_fp32": (torch.mm, full), "product_fp32": (torch.mul, full)}
        for name, (op, (a, b, out)) in ops.items():
            for prefix in ("warm_", ""):
                self.add_module(prefix + name, Repeated(lambda op=op, a=a, b=b, out=out: op(a, b, out=out)))

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

# SPDX-License-Identifier: Apache-2.0
"""Runs ops in FP16 on a GPU, each in a module that is named after the op. Prints their true errors as JSON: relative L2
against FP64 on the CPU. Allows TF32 and sums in FP16, as programs may, to test that ampprof's reference does not use
them."""
import json

import torch
from torch.nn import functional

torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True


class Op(torch.nn.Module):
    """Wraps a function of tensors in a module, so that its op calls have a module path."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *tensors):
        return self.function(*tensors)


def of(*shapes, dtype=torch.float32):
    return [torch.randn(shape).to(dtype) for shape in shapes]


CASES = {
    "mm": (torch.mm, of((96, 512), (512, 64))),
    "bmm": (torch.bmm, of((4, 64, 256), (4, 256, 48))),
    "linear": (functional.linear, of((96, 512), (64, 512), (64,))),
    "conv": (lambda x, w: functional.conv2d(x, w, padding=1), of((8, 32, 16, 16), (64, 32, 3, 3))),
    "product": (torch.mul, of((300, 70), (300, 70), dtype=torch.float16)),
    "gelu": (functional.gelu, of((300, 70), dtype=torch.float16)),
}


class All(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name, (function, _) in CASES.items():
            self.add_module(name, Op(function))

    def forward(self, name, tensors):
        return getattr(self, name)(*tensors)


net = All()
errors = {}
for name, (function, inputs) in CASES.items():
    try:
        on_device = [tensor.cuda() for tensor in inputs]
        with torch.no_grad(), torch.autocast("cuda", torch.float16):
            y = net(name, on_device)
        exact = function(*[tensor.double() for tensor in inputs])
        errors[name] = ((y.cpu().double() - exact).norm() / exact.norm()).item()
    except RuntimeError as error:
        errors[name] = str(error).splitlines()[0]
print(json.dumps(errors))

# SPDX-License-Identifier: Apache-2.0
"""Runs a program and stores the results of LibTorch's ops: python ops.py FILE PROGRAM [ARGUMENT...].

Writes a list of (op, line of the program, hash of the bits) to FILE, in program order. A dispatch mode of LibTorch
collects the list, without ampprof. Leaves out uninitialized memory and views of other tensors' memory.
"""
import hashlib
import json
import os
import runpy
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def bits_of(result):
    digest = hashlib.sha256()
    for leaf in tree_leaves(result):
        if isinstance(leaf, torch.Tensor):
            digest.update(f"{leaf.dtype} {tuple(leaf.shape)}".encode())
            digest.update(leaf.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
        elif isinstance(leaf, (bool, int, float, complex)):
            digest.update(repr(leaf).encode())
    return digest.hexdigest()


def makes_values(op):
    is_view = any(out.alias_info is not None and not out.alias_info.is_write for out in op._schema.returns)
    return "empty" not in op._schema.name and not is_view


class Keep(TorchDispatchMode):
    def __init__(self, program):
        super().__init__()
        self.program, self.ops = os.path.realpath(program), []

    def line(self):
        frame = sys._getframe(2)
        while frame is not None and os.path.realpath(frame.f_code.co_filename) != self.program:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        result = op(*args, **(kwargs or {}))
        if makes_values(op):
            self.ops.append((str(op).removeprefix("aten.").removesuffix(".default"), self.line(), bits_of(result)))
        return result


def main():
    file, *sys.argv = sys.argv[1:]
    sys.path.insert(0, os.path.dirname(os.path.realpath(sys.argv[0])))
    keep = Keep(sys.argv[0])
    with keep:
        runpy.run_path(sys.argv[0], run_name="__main__")
    with open(file, "w") as out:
        json.dump(keep.ops, out)


main()

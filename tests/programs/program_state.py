# SPDX-License-Identifier: Apache-2.0
"""Stores the final state of a program, so that two runs can be compared bit by bit.

save(net=net, sums=[a, b]) writes modules, tensors and numbers, also in lists and dicts, and the state of LibTorch's
random generators, to the file named by PROGRAM_STATE. Does nothing if PROGRAM_STATE is not set. If several processes
of a program save, each gives its name: save("rank1", net=net).
"""

import os

import torch


def save(process="", **things):
    path = os.environ.get("PROGRAM_STATE")
    if not path:
        return
    things["torch.random"] = torch.get_rng_state()
    with torch.no_grad(), open(f"{path}.{process}" if process else path, "wb") as file:
        for name in sorted(things):
            _write(file, name, things[name])


def _write(file, name, thing):
    if isinstance(thing, torch.nn.Module):
        thing = dict(thing.state_dict())
    if isinstance(thing, dict):
        for key, value in thing.items():
            _write(file, f"{name}.{key}", value)
    elif isinstance(thing, (list, tuple)):
        for index, value in enumerate(thing):
            _write(file, f"{name}.{index}", value)
    elif torch.is_tensor(thing):
        _write_tensor(file, name, thing)
    else:
        file.write(f"{name} {thing!r}\n".encode())


def _write_tensor(file, name, tensor):
    file.write(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
    plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
    file.write(plain.reshape(-1).view(torch.uint8).numpy().tobytes() + b"\n")

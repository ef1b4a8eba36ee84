# SPDX-License-Identifier: Apache-2.0
"""Writes to parameters between two uses in one block of torch.autocast.

usage: stale_casts.py writes|steps

`writes`: one module for each way to write, with its name. `steps`: one block around a training loop.
"""

import sys
import threading

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint


def autocast(**how):
    return torch.autocast("cpu", dtype=torch.bfloat16, **how)


def in_place(weight):
    with torch.no_grad():
        weight.mul_(2)


def data(weight):
    weight.data.mul_(2)


def other_data(weight):
    weight.data = torch.ones(6, 6)


def other_shape(weight):
    weight.data = torch.ones(5, 6)


def numpy(weight):
    weight.detach().numpy()[:] = 3


def one_row(weight):
    weight.data[2] = 1


def to_nan(weight):
    weight.data.fill_(float("nan"))


def nothing(weight):
    pass


def same_values(weight):
    weight.data.copy_(weight.data.clone())


def there_and_back(weight):
    weight.data.mul_(2)
    weight.data.mul_(0.5)


def cleared(weight):
    weight.data.mul_(2)
    torch.clear_autocast_cache()


WRITES = (in_place, data, other_data, other_shape, numpy, one_row, to_nan, nothing, same_values, there_and_back, cleared)
OTHERS = "thread", "inference", "other_block", "without_cache", "recomputed", "compiled"


def use_twice_in_a_block(nets, x):
    for write in WRITES:
        with autocast():
            nets[write.__name__](x)
            write(nets[write.__name__].weight)
            nets[write.__name__](x)
    with autocast():
        nets["gru"](x)
        data(nets["gru"].weight_ih)
        nets["gru"](x)


def use_in_threads(net, x):
    """Uses a weight in threads. All threads share one cast cache, but each thread enables autocast itself."""

    def with_autocast():
        with autocast():
            net(x)

    with autocast():
        net(x)
        data(net.weight)
        for work in (with_autocast, lambda: net(x)):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()


def use_without_hits(nets, x):
    with autocast():
        nets["inference"](x)
        data(nets["inference"].weight)
        with torch.inference_mode():  # the weight is cast again here
            nets["inference"](x)
    for _ in range(2):
        with autocast():
            nets["other_block"](x)
        data(nets["other_block"].weight)
    with autocast(cache_enabled=False):
        for _ in range(2):
            nets["without_cache"](x)
            data(nets["without_cache"].weight)
    compiled = torch.compile(nets["compiled"], backend="aot_eager")
    with autocast():
        for _ in range(2):
            compiled(x)
            data(nets["compiled"].weight)
    with autocast():
        for i in range(300):  # reuses the addresses of earlier tensors
            F.linear(x, torch.full((6, 6), float(i), requires_grad=True))


def recompute(net, x):
    """Recomputes with the cached copy of the first forward."""
    with autocast():
        y = checkpoint(net, x, use_reentrant=False)
        data(net.weight)
        y.float().sum().backward()


def writes():
    nets = nn.ModuleDict({name: nn.Linear(6, 6) for name in (*(write.__name__ for write in WRITES), *OTHERS)})
    nets["gru"] = nn.GRUCell(6, 6)
    x = torch.randn(4, 6)
    use_twice_in_a_block(nets, x)
    use_in_threads(nets["thread"], x)
    use_without_hits(nets, x)
    recompute(nets["recomputed"], x)


def steps():
    net, x = nn.Linear(6, 3), torch.randn(4, 6)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    with autocast():
        for _ in range(8):
            opt.zero_grad()
            net(x).float().square().mean().backward()
            opt.step()


torch.set_num_threads(1)
torch.manual_seed(0)
globals()[sys.argv[1]]()

# SPDX-License-Identifier: Apache-2.0
"""Changes an optimizer for initialize(): its parameters, and the methods that call the engine."""

import functools
import types

from .._library import classes, engine
from ..optimizers import _Fused


def _fused_in(optimizer):
    """Returns the C++ FusedOptimizer of a fused optimizer, also inside LARC; None for other optimizers."""
    inner = getattr(optimizer, "optim", optimizer)
    return inner._fused if isinstance(inner, _Fused) else None


def handle_of(optimizer):
    """Returns the engine's handle of an optimizer: a new one, or the one that a fused optimizer already has."""
    fused = _fused_in(optimizer)
    if fused is not None:
        return fused.optimizer()
    handle = classes.Optimizer.of_python()
    for group in optimizer.param_groups:
        handle.add_group(list(group["params"]))
    return handle


def take_masters(optimizer, handle):
    """Replaces half parameters in the parameter groups with the engine's masters, which get the parameters' state."""
    models, masters = engine.masters_of(handle)
    master_of = dict(zip(models, masters))
    for group in optimizer.param_groups:
        for place, parameter in enumerate(group["params"]):
            master = master_of.get(parameter)
            if master is None:
                continue
            group["params"][place] = master
            if parameter in optimizer.state:
                optimizer.state[master] = optimizer.state.pop(parameter)


def patch(optimizer, handle):
    """Makes an optimizer's methods call the engine. Schedulers that wrap the methods keep working."""
    step, zero_grad, add_param_group = optimizer.step, optimizer.zero_grad, optimizer.add_param_group

    call = classes.Step(handle)

    @functools.wraps(step)
    def step_or_skip(_self, *args, **kwargs):
        closure = args[0] if args else kwargs.get("closure")
        has_stepped = False
        try:
            if not call.begin(callable(closure)):
                return None
            result = step(*args, **kwargs)
            has_stepped = True
            return result
        finally:
            call.end(has_stepped)

    @functools.wraps(zero_grad)
    def zero_all_gradients(*args, **kwargs):
        zero_grad(*args, **kwargs)
        for model in engine.masters_of(handle)[0]:
            model.grad = None

    @functools.wraps(add_param_group)
    def add_group_with_masters(group):
        add_param_group(group)
        if _fused_in(optimizer) is None:
            handle.add_group(list(optimizer.param_groups[-1]["params"]))
        engine.make_masters(handle)
        take_masters(optimizer, handle)

    optimizer.step = types.MethodType(step_or_skip, optimizer)  # schedulers read step.__func__
    optimizer.zero_grad = zero_all_gradients
    optimizer.add_param_group = add_group_with_masters

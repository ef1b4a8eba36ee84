# SPDX-License-Identifier: Apache-2.0
"""Registers functions that O1 runs in a certain type, regardless of O1's cast list."""

import functools

import torch

from .._library import engine
from ._values import map_tensors, tensors_in

_registered = []  # (policy, module, name) of functions that the dispatcher does not know, for the next initialize()
_TORCH = (torch, torch.Tensor, torch.functional, torch.nn.functional)


def _wrapped(policy, function):
    """Returns a function that casts its floating tensors while O1's casts are enabled, and then calls `function`."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        dtype = engine.type_for_function(policy, list(tensors_in((args, kwargs))))
        if dtype:
            args, kwargs = map_tensors(lambda tensor: engine.cast(tensor, dtype), (args, kwargs))
        return function(*args, **kwargs)

    return wrapper


def half_function(function):
    """Decorates a function: its floating tensors, also in containers, become FP16 while O1's casts are enabled."""
    return _wrapped("half", function)


def float_function(function):
    """Decorates a function: its floating tensors become FP32 while O1's casts are enabled."""
    return _wrapped("float", function)


def promote_function(function):
    """Decorates a function: a mix of FP16 and FP32 tensors becomes FP32 while O1's casts are enabled."""
    return _wrapped("promote", function)


_OPERATORS = {"radd": "add", "rmul": "mul", "rtruediv": "div", "truediv": "div", "rpow": "pow"}


def _op_of(name):
    """Returns the op of an attribute: "mul" for "__mul__" and "__rmul__". A rule for an op covers its in-place form."""
    if not (name.startswith("__") and name.endswith("__")):
        return name
    plain = name.strip("_")
    return _OPERATORS.get(plain, plain)


def _register(policy, module, name):
    if not hasattr(module, name):
        raise ValueError(f"No function named {name} in module {module}.")
    op = _op_of(name)
    if module in _TORCH and engine.knows_function(op):
        engine.register_function(policy, op)
    elif engine.is_enabled():
        raise RuntimeError(f"{name} was registered after amp.initialize(), too late to take effect. Register functions before "
                           "it, or call amp.shutdown() first.")
    else:
        _registered.append((policy, module, name))


def register_half_function(module, name):
    """Runs `module.name` in FP16 at O1. Call it before initialize().

    `name` is a str. Raises ValueError if the module has no such function, and RuntimeError after initialize().
    """
    _register("half", module, name)


def register_float_function(module, name):
    """Runs `module.name` in FP32 at O1, even if the cast list says otherwise. Use it like register_half_function()."""
    _register("float", module, name)


def register_promote_function(module, name):
    """Runs `module.name` in the widest type of its arguments at O1. Use it like register_half_function()."""
    _register("promote", module, name)


def use_registrations(casts_functions):
    """If O1 casts, wraps registered functions that the dispatcher lacks. Clears the registrations in any case."""
    for policy, module, name in _registered if casts_functions else ():
        setattr(module, name, _wrapped(policy, getattr(module, name)))
    _registered.clear()

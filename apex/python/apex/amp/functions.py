# SPDX-License-Identifier: Apache-2.0
"""Functions that O1 runs in another type than its list says, or that are on no list."""

import functools

import torch

from .._library import engine
from ._values import map_tensors, tensors_in

_registered = []  # (policy, module, name) of functions that the engine's casts do not see, for the next initialize()
_TORCH = (torch, torch.Tensor, torch.functional, torch.nn.functional)


def _wrapped(policy, function):
    """Returns the function with its floating tensors cast, while casts are in force."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        dtype = engine.type_for_function(policy, list(tensors_in((args, kwargs))))
        if dtype:
            args, kwargs = map_tensors(lambda tensor: engine.cast(tensor, dtype), (args, kwargs))
        return function(*args, **kwargs)

    return wrapper


def half_function(function):
    """Decorates a function: its floating tensors, also those in containers, become FP16 while O1's casts are in force."""
    return _wrapped("half", function)


def float_function(function):
    """Decorates a function: its floating tensors become FP32 while O1's casts are in force."""
    return _wrapped("float", function)


def promote_function(function):
    """Decorates a function: where FP16 and FP32 tensors meet, all become FP32 while O1's casts are in force."""
    return _wrapped("promote", function)


_OPERATORS = {"radd": "add", "rmul": "mul", "rtruediv": "div", "truediv": "div", "rpow": "pow"}


def _op_of(name):
    """Returns the engine's word for an attribute: "mul" for "__mul__" and "__rmul__"; in-place forms follow."""
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
        raise RuntimeError(f"{name} was registered after amp.initialize(), too late to count. Register functions before "
                           "it, or call amp.shutdown() first.")
    else:
        _registered.append((policy, module, name))


def register_half_function(module, name):
    """Runs `module.name` in FP16 at O1. Call it before initialize().

    `name` is a str. Raises ValueError if the module has no such function, and RuntimeError after initialize().
    """
    _register("half", module, name)


def register_float_function(module, name):
    """Runs `module.name` in FP32 at O1, whatever the list says, as register_half_function() does in FP16."""
    _register("float", module, name)


def register_promote_function(module, name):
    """Runs `module.name` in the widest type of its arguments at O1, as register_half_function() does in FP16."""
    _register("promote", module, name)


def use_registrations(casts_functions):
    """Puts wrappers around functions that were registered and that the engine does not see, and forgets them."""
    for policy, module, name in _registered if casts_functions else ():
        setattr(module, name, _wrapped(policy, getattr(module, name)))
    _registered.clear()

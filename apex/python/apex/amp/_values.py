# SPDX-License-Identifier: Apache-2.0
"""Finds and casts floating tensors in the arguments and results of a script's models and functions."""

import collections
import collections.abc
import copy

import torch

_LISTS = (list, tuple, set, frozenset, collections.deque)


def _is_cast(value):
    return value.is_floating_point() and value.dtype is not torch.float64


def tensors_in(value):
    """Yields the floating tensors in a value, except FP64: in lists, tuples, sets and mappings, nested at any depth."""
    if isinstance(value, torch.Tensor):
        if _is_cast(value):
            yield value
    elif isinstance(value, collections.abc.Mapping):
        for each in value.values():
            yield from tensors_in(each)
    elif isinstance(value, _LISTS):
        for each in value:
            yield from tensors_in(each)


def map_tensors(cast, value, cast_object=None):
    """Returns the value with `cast` applied to its floating tensors, except FP64. Everything else stays as it is.

    Containers keep their types. `cast_object`, if given, is applied to other objects with a method `to`, such as a
    batch class.
    """
    again = lambda each: map_tensors(cast, each, cast_object)
    if isinstance(value, torch.Tensor):
        return cast(value) if _is_cast(value) else value
    if isinstance(value, collections.abc.Mapping):
        items = {key: again(each) for key, each in value.items()}
        return _filled(value, items) if isinstance(value, (dict, collections.UserDict)) else items
    if isinstance(value, tuple) and hasattr(value, "_fields"):  # checked before `to`, since PackedSequence has both
        return type(value)(*map(again, value))
    if isinstance(value, _LISTS):
        return type(value)(map(again, value))
    if cast_object is not None and callable(getattr(value, "to", None)):
        return cast_object(value)
    return value


def _filled(mapping, items):
    """Returns a copy of a dictionary with the values in `items`. Keeps attributes, such as a model output's."""
    filled = copy.copy(mapping)
    for key, value in items.items():
        filled[key] = value
    return filled

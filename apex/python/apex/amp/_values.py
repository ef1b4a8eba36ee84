# SPDX-License-Identifier: Apache-2.0
"""Floating tensors in what a script hands to its models and functions."""

import collections
import collections.abc
import copy

import torch

_LISTS = (list, tuple, set, frozenset, collections.deque)


def _is_cast(value):
    return value.is_floating_point() and value.dtype is not torch.float64


def tensors_in(value):
    """Yields the floating tensors in a value: in lists, tuples, sets and mappings, nested as deep as you like."""
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
    """Returns the value with `cast` applied to its floating tensors. FP64 and everything else is passed as it is.

    Containers keep their types. `cast_object`, where given, is applied to other objects with a method `to`, such as a
    batch class.
    """
    again = lambda each: map_tensors(cast, each, cast_object)
    if isinstance(value, torch.Tensor):
        return cast(value) if _is_cast(value) else value
    if isinstance(value, collections.abc.Mapping):
        items = {key: again(each) for key, each in value.items()}
        return _filled(value, items) if isinstance(value, (dict, collections.UserDict)) else items
    if isinstance(value, tuple) and hasattr(value, "_fields"):  # before `to`: PackedSequence is one
        return type(value)(*map(again, value))
    if isinstance(value, _LISTS):
        return type(value)(map(again, value))
    if cast_object is not None and callable(getattr(value, "to", None)):
        return cast_object(value)
    return value


def _filled(mapping, items):
    """Returns a copy of a dictionary, which may be a model's output with attributes, with other values."""
    filled = copy.copy(mapping)
    for key, value in items.items():
        filled[key] = value
    return filled

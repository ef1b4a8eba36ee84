# SPDX-License-Identifier: Apache-2.0
"""Changes a model for initialize(): its forward, and the types of its state dict."""

import functools

import torch
from torch.nn.modules.batchnorm import _BatchNorm

from .._library import classes, engine
from ._values import map_tensors


def handle_of(model):
    """Returns the engine's view of a model, which shares its tensors."""
    handle = classes.Model()
    for path, module in model.named_modules():
        parameters = {name: tensor for name, tensor in module._parameters.items() if tensor is not None}
        buffers = {name: tensor for name, tensor in module._buffers.items() if tensor is not None}
        names = [*parameters, *buffers]
        kind = type(module).__name__
        handle.add(path, kind, isinstance(module, _BatchNorm), names, list(parameters.values()), list(buffers.values()))
    return handle


def _cast_to(name):
    """Returns a function that casts the tensors in a value to the type `name`, or leaves them alone if it is ""."""
    if not name:
        return lambda value: value
    dtype = getattr(torch, name)
    cast = lambda tensor: tensor if tensor.dtype is dtype else engine.cast(tensor, name)
    return lambda value: map_tensors(cast, value, lambda thing: thing.to(dtype))


def _forward(forward, inputs_type, outputs_type, *args, **kwargs):
    args, kwargs = _cast_to(inputs_type)((args, kwargs))
    return _cast_to(outputs_type)(forward(*args, **kwargs))


def patch_forward(model, inputs_type, outputs_type):
    """Makes a model cast its floating inputs and outputs. A deep copy of the model gets a forward of its own."""
    if inputs_type or outputs_type:
        model.forward = functools.partial(_forward, model.forward, inputs_type, outputs_type)


def _own_tensors(module, prefix):
    return {prefix + name: tensor for name, tensor in (*module._parameters.items(), *module._buffers.items())
            if tensor is not None}


def _is_reduced(tensor):
    return isinstance(tensor, torch.Tensor) and tensor.dtype in (torch.float16, torch.bfloat16)


def _widen_state(module, state, prefix, _metadata):
    """Replaces half-precision values in a state dict with FP32 values: the master's, if the parameter has one."""
    reduced = {name: tensor for name, tensor in _own_tensors(module, prefix).items() if _is_reduced(state.get(name))}
    state.update(zip(reduced, engine.checkpoint_tensors(list(reduced.values()))))


def _fill_masters(module, state, prefix, *_):
    """Copies a state dict's values to the masters, before the module rounds them to its own type."""
    loaded = [(tensor, state[name]) for name, tensor in _own_tensors(module, prefix).items()
              if isinstance(state.get(name), torch.Tensor) and state[name].shape == tensor.shape]
    engine.load_masters([tensor for tensor, _ in loaded], [value for _, value in loaded])


def patch_state_dict(model):
    """Makes a model and its submodules save FP32 state dicts, and load state dicts into masters. Returns hooks."""
    hooks = []
    for module in model.modules():
        if not isinstance(module, torch.jit.ScriptModule):  # a ScriptModule takes no hooks
            hooks.append(module._register_state_dict_hook(_widen_state))
            hooks.append(module._register_load_state_dict_pre_hook(_fill_masters, with_module=True))
    return hooks


def flatten_recurrent_weights(model):
    """Puts the weights of each recurrent layer into one buffer of their new type, which cuDNN needs."""
    for module in model.modules():
        if isinstance(module, torch.nn.RNNBase):
            module.flatten_parameters()

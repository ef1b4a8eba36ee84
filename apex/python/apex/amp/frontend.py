# SPDX-License-Identifier: Apache-2.0
"""initialize(), and the state of amp in a checkpoint."""

import collections
import itertools

import torch

from .._library import engine
from ..parallel.LARC import LARC
from . import _models, _optimizers
from ._amp_state import _amp_state, load_losses, state_of_losses
from .functions import use_registrations


def _listed(things, kind, what):
    """Returns an object of type `kind`, or a list of them, as a list. Raises TypeError for any other type."""
    listed = list(things) if isinstance(things, (list, tuple)) else [things]
    for each in listed:
        if not isinstance(each, kind):
            raise TypeError(f"{what}s must be either a single {what} or a list of {what}s, and not {type(each).__name__}.")
    return listed


def _words(options):
    return {name: str(value) for name, value in options.items() if value is not None}


def initialize(
    models,
    optimizers=None,
    enabled=True,
    opt_level="O1",
    cast_model_type=None,
    patch_torch_functions=None,
    keep_batchnorm_fp32=None,
    master_weights=None,
    loss_scale=None,
    cast_model_outputs=None,
    num_losses=1,
    verbosity=1,
    min_loss_scale=None,
    max_loss_scale=2.0**24,
    patch_torch_functions_type=None,
):
    """Sets models and optimizers up for an opt level, and prints the options in force.

    Takes a model or a list of models, and an optimizer or a list of optimizers. Models are FP32 `torch.nn.Module`s on
    their device, not yet wrapped for data parallelism. The script owns models and optimizers; amp holds weak references.
    An option that is None has the level's default. `loss_scale` is a number or "dynamic". `keep_batchnorm_fp32` may be
    "True" or "False". `cast_model_type`, `cast_model_outputs` and `patch_torch_functions_type` are dtypes. The last one,
    which Apex does not have, is the type that O1 casts to. The environment variable AMP_OPT_LEVEL forces a level.

    Returns models and optimizers as they were passed, changed in place; only models if there are no optimizers. Raises
    RuntimeError if options contradict each other, and TypeError for objects that are neither models nor optimizers.
    """
    enabled, verbosity = bool(enabled), int(verbosity)
    options = _words(dict(locals(), models=None, optimizers=None))
    model_list = _listed(models, torch.nn.Module, "model")
    optimizer_list = [] if optimizers is None else _listed(optimizers, (torch.optim.Optimizer, LARC), "optimizer")
    if enabled:
        _set_up(model_list, optimizer_list, options)
    else:
        engine.initialize([], [], options)
    return models if optimizers is None else (models, optimizers)


def _handles(known, things, make):
    """Returns the known handle of each object, or a new one. The engine refuses handles that it knows or gets twice."""
    made = {}
    for thing in things:
        handle = made.get(id(thing), known.get(thing))
        made[id(thing)] = make(thing) if handle is None else handle
    return [made[id(thing)] for thing in things]


def _set_up(models, optimizers, options):
    state = _amp_state
    model_handles = _handles(state.models, models, _models.handle_of)
    handles = _handles(state.optimizers, optimizers, _optimizers.handle_of)
    engine.initialize(model_handles, handles, options)
    inputs_type, outputs_type = engine.model_types()
    for model, handle in zip(models, model_handles):
        _keep(model, ("forward",))
        _models.flatten_recurrent_weights(model)
        _models.patch_forward(model, inputs_type, outputs_type)
        hooks = _models.patch_state_dict(model) if inputs_type in ("float16", "bfloat16") else []
        state.models[model] = handle
        state.hooks[model] = hooks
    for optimizer, handle in zip(optimizers, handles):
        _keep(optimizer, ("step", "zero_grad", "add_param_group"))
        state.optimizers[optimizer] = handle
        _optimizers.take_masters(optimizer, handle)
        _optimizers.patch(optimizer, handle)
    if not inputs_type:
        torch.backends.mha.set_fastpath_enabled(False)  # the fast path's kernel casts nothing
    use_registrations(casts_functions=not inputs_type)


def _keep(thing, names):
    """Saves the instance attributes `names` of a model or optimizer, before they are replaced."""
    thing._before_amp = {name: vars(thing).get(name) for name in names}


def _restore(thing):
    for name, own in vars(thing).pop("_before_amp").items():
        if own is None:
            vars(thing).pop(name, None)
        else:
            vars(thing)[name] = own


def shutdown():
    """Forgets models, optimizers and scalers, and ends casts, so that initialize() may be called at another level.

    Models keep their types, and optimizers their masters. Both get their original methods back. Apex has no such function.
    """
    for thing in (*_amp_state.models, *_amp_state.optimizers):
        _restore(thing)
    for hook in itertools.chain(*_amp_state.hooks.values()):
        hook.remove()
    torch.backends.mha.set_fastpath_enabled(_amp_state.had_fast_attention)
    engine.shutdown()
    _amp_state.forget()


def state_dict(destination=None):
    """Returns the scale of each loss and its passes without overflow, with Apex's keys: "loss_scaler0" and so on."""
    state = collections.OrderedDict() if destination is None else destination
    state.update(state_of_losses() if engine.is_enabled() else {})
    return state


def load_state_dict(state_dict):
    """Restores the scales of a checkpoint. Call it after initialize(), with as many losses as were saved.

    The number in an entry's name identifies the loss. Raises RuntimeError, without a change, for unknown entries.
    """
    is_enabled = engine.is_enabled()
    if is_enabled is None:
        raise RuntimeError("amp.load_state_dict was called before amp.initialize(model, optimizer, opt_level=...).")
    if not isinstance(state_dict, dict) or not all(isinstance(each, dict) for each in state_dict.values()):
        raise RuntimeError("amp.load_state_dict takes what amp.state_dict() returned: a dict of dicts.")
    if is_enabled:
        load_losses(state_dict)

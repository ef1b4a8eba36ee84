# SPDX-License-Identifier: Apache-2.0
"""initialize(), and the state of amp in a checkpoint."""

import collections

import torch

from .._library import engine
from . import _models, _optimizers
from ._amp_state import _amp_state
from .functions import use_registrations


def _listed(things, kind, what):
    """Returns one thing or a list of them as a list. Raises TypeError for other things."""
    listed = list(things) if isinstance(things, (list, tuple)) else [things]
    for each in listed:
        if not isinstance(each, kind) and not hasattr(each, "param_groups"):
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

    Models are FP32 `torch.nn.Module`s on their device, not yet wrapped for data parallelism. Options that are None are
    the level's defaults. `loss_scale` is a number or "dynamic"; `keep_batchnorm_fp32` may be "True" or "False";
    `patch_torch_functions_type`, which Apex does not have, is the type that O1 casts to. The environment variable
    AMP_OPT_LEVEL forces a level. Returns models and optimizers as they were passed, changed in place; models alone
    where there are no optimizers. Raises RuntimeError where options do not go together, and TypeError for things that
    are no models or optimizers.
    """
    options = _words(dict(locals(), models=None, optimizers=None))
    model_list = _listed(models, torch.nn.Module, "model")
    optimizer_list = [] if optimizers is None else _listed(optimizers, torch.optim.Optimizer, "optimizer")
    if enabled:
        _set_up(model_list, optimizer_list, options)
    else:
        engine.initialize([], [], options)
    _amp_state.is_enabled = enabled
    return models if optimizers is None else (models, optimizers)


def _handle(known, thing, make):
    handle = known.get(thing)  # the engine refuses what it has set up already
    return make(thing) if handle is None else handle


def _set_up(models, optimizers, options):
    state = _amp_state
    model_handles = [_handle(state.models, model, _models.handle_of) for model in models]
    handles = [_handle(state.optimizers, optimizer, _optimizers.handle_of) for optimizer in optimizers]
    engine.initialize(model_handles, handles, options)
    inputs_type, outputs_type = engine.model_types()
    for model, handle in zip(models, model_handles):
        state.models[model] = handle
        _models.flatten_recurrent_weights(model)
        _models.patch_forward(model, inputs_type, outputs_type)
        if inputs_type in ("float16", "bfloat16"):
            _models.patch_state_dict(model)
    for optimizer, handle in zip(optimizers, handles):
        state.optimizers[optimizer] = handle
        _optimizers.take_masters(optimizer, handle)
        _optimizers.patch(optimizer, handle)
    use_registrations(casts_functions=not inputs_type)


def shutdown():
    """Forgets models, optimizers and scalers, and ends casts, so that initialize() may be called at another level.

    Models and optimizers stay as they are. Apex has no such function.
    """
    engine.shutdown()
    _amp_state.forget()


def state_dict(destination=None):
    """Returns the scale of each loss and its passes without overflow, as Apex does: "loss_scaler0" and so on."""
    state = collections.OrderedDict() if destination is None else destination
    for loss_id, (scale, unskipped) in enumerate(engine.loss_scalers() if _amp_state.is_enabled else ()):
        state[f"loss_scaler{loss_id}"] = {"loss_scale": scale, "unskipped": unskipped}
    return state


def load_state_dict(state_dict):
    """Goes on with the scales of a checkpoint. Call it after initialize(), with as many losses as were saved.

    Entries go by the number in their name. Raises RuntimeError for entries that do not fit; nothing has changed then.
    """
    if _amp_state.is_enabled:
        engine.load_loss_scalers(
            {name: {key: float(value) for key, value in numbers.items()} for name, numbers in state_dict.items()}
        )

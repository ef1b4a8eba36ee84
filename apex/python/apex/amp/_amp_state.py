# SPDX-License-Identifier: Apache-2.0
"""Keeps the engine's handles of models and optimizers. Scripts read and set `amp._amp_state.loss_scalers`."""

import weakref

import torch

from .._library import engine


class LossScaler:
    """The scaler of one loss, which scripts log and set. Reading the scale waits for an overflow check in progress."""

    def __init__(self, loss_id):
        self._loss_id = loss_id

    def loss_scale(self):
        """Returns the current scale, a float."""
        return engine.loss_scale(self._loss_id)

    def _set(self, **numbers):
        state = state_of_losses()
        state[f"loss_scaler{self._loss_id}"].update(numbers)
        load_losses(state)

    _loss_scale = property(loss_scale, lambda self, scale: self._set(loss_scale=scale))
    _unskipped = property(lambda self: engine.loss_scalers()[self._loss_id][1],
                          lambda self, count: self._set(unskipped=count))


def state_of_losses():
    """Returns the scale and the unskipped passes of each loss, under the names in Apex's checkpoints."""
    return {f"loss_scaler{number}": {"loss_scale": scale, "unskipped": unskipped}
            for number, (scale, unskipped) in enumerate(engine.loss_scalers())}


def load_losses(state):
    """Passes a result of state_of_losses() to the engine. If losses differ, raises RuntimeError and changes nothing."""
    engine.load_loss_scalers(
        {name: {key: float(value) for key, value in numbers.items()} for name, numbers in state.items()}
    )


class _AmpState:
    """Holds the engine's handles of the Python models and optimizers."""

    def __init__(self):
        self.forget()

    def forget(self):
        self.models = weakref.WeakKeyDictionary()
        self.optimizers = weakref.WeakKeyDictionary()
        self.had_fast_attention = torch.backends.mha.get_fastpath_enabled()
        self.hooks = weakref.WeakKeyDictionary()  # the hooks that initialize() added to each model

    @property
    def loss_scalers(self):
        """The scalers of all losses, in the order of their ids."""
        return [LossScaler(loss_id) for loss_id in range(len(engine.loss_scalers()))]


_amp_state = _AmpState()


def master_params(optimizer):
    """Yields the parameters that an optimizer updates: masters for half parameters. Scripts clip their gradients."""
    for group in optimizer.param_groups:
        yield from group["params"]


def maybe_print(message, rank0=False):
    """Prints a line; with `rank0`, only the first rank prints."""
    distributed = torch.distributed.is_available() and torch.distributed.is_initialized()
    if not (rank0 and distributed and torch.distributed.get_rank() != 0):
        print(message)

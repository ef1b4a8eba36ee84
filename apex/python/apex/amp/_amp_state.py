# SPDX-License-Identifier: Apache-2.0
"""Keeps the engine's handles of models and optimizers. Scripts read and set `amp._amp_state.loss_scalers`."""

import weakref

import torch

from .._library import engine


class LossScaler:
    """The scaler of one loss, as scripts log and set it. Reading waits for an overflow check that is under way."""

    def __init__(self, loss_id):
        self._loss_id = loss_id

    def loss_scale(self):
        """Returns the scale now, a float."""
        return engine.loss_scale(self._loss_id)

    def _set(self, **numbers):
        state = state_of_losses()
        state[f"loss_scaler{self._loss_id}"].update(numbers)
        load_losses(state)

    _loss_scale = property(loss_scale, lambda self, scale: self._set(loss_scale=scale))
    _unskipped = property(lambda self: engine.loss_scalers()[self._loss_id][1],
                          lambda self, count: self._set(unskipped=count))


def state_of_losses():
    """Returns the numbers of each loss under the names of Apex's checkpoints."""
    return {f"loss_scaler{number}": {"loss_scale": scale, "unskipped": unskipped}
            for number, (scale, unskipped) in enumerate(engine.loss_scalers())}


def load_losses(state):
    """Hands such numbers to the engine. Raises RuntimeError for losses that do not fit; nothing has changed then."""
    engine.load_loss_scalers(
        {name: {key: float(value) for key, value in numbers.items()} for name, numbers in state.items()}
    )


class _AmpState:
    """Handles of the engine, by the object of Python that they stand for."""

    def __init__(self):
        self.forget()

    def forget(self):
        self.models = weakref.WeakKeyDictionary()
        self.optimizers = weakref.WeakKeyDictionary()
        self.had_fast_attention = torch.backends.mha.get_fastpath_enabled()
        self.hooks = weakref.WeakKeyDictionary()  # those that models got

    @property
    def loss_scalers(self):
        """The scalers of all losses, in the order of their ids."""
        return [LossScaler(loss_id) for loss_id in range(len(engine.loss_scalers()))]


_amp_state = _AmpState()


def master_params(optimizer):
    """Yields the parameters that an optimizer updates, FP32 masters where there are any: what to clip."""
    for group in optimizer.param_groups:
        yield from group["params"]


def maybe_print(message, rank0=False):
    """Prints a line; with `rank0` on the first rank alone."""
    distributed = torch.distributed.is_available() and torch.distributed.is_initialized()
    if not (rank0 and distributed and torch.distributed.get_rank() != 0):
        print(message)

# SPDX-License-Identifier: Apache-2.0
"""What amp knows of the script's models and optimizers. Scripts read `_amp_state.loss_scalers` and `master_params()`."""

import weakref

from .._library import engine


class LossScaler:
    """The scaler of one loss, as scripts log it."""

    def __init__(self, loss_id):
        self._loss_id = loss_id

    def loss_scale(self):
        """Returns the scale now, a float. Waits for an overflow check that is still under way."""
        return engine.loss_scale(self._loss_id)

    _loss_scale = property(loss_scale)


class _AmpState:
    """Handles of the engine, by the object of Python that they stand for."""

    def __init__(self):
        self.forget()

    def forget(self):
        self.is_enabled = None  # before initialize()
        self.models = weakref.WeakKeyDictionary()
        self.optimizers = weakref.WeakKeyDictionary()

    @property
    def loss_scalers(self):
        """The scalers of all losses, in the order of their ids."""
        return [LossScaler(loss_id) for loss_id in range(len(engine.loss_scalers()))]


_amp_state = _AmpState()


def master_params(optimizer):
    """Yields the parameters that an optimizer updates, FP32 masters where there are any: what to clip."""
    for group in optimizer.param_groups:
        yield from group["params"]

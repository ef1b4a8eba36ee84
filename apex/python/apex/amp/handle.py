# SPDX-License-Identifier: Apache-2.0
"""The `with` blocks that a script puts around a backward pass, and around code without casts."""

import torch

from .._library import classes, engine
from ._amp_state import _amp_state
from ._optimizers import take_masters

_begin = classes.ScaleLoss.begin


def _is_enabled():
    """Returns whether amp was initialized with enabled=True. Raises RuntimeError before initialize()."""
    is_enabled = engine.is_enabled()
    if is_enabled is None:
        raise RuntimeError("amp.scale_loss was called before amp.initialize(model, optimizer, opt_level=...).")
    return is_enabled


def _optimizers_in(optimizers):
    """Returns the optimizers of a call as a list. Raises RuntimeError for an optimizer unknown to amp."""
    listed = list(optimizers) if isinstance(optimizers, (list, tuple)) else [optimizers]
    for optimizer in listed:
        if optimizer not in _amp_state.optimizers:
            raise RuntimeError(
                "amp.scale_loss got an optimizer that was not passed to amp.initialize: "
                f"{type(optimizer).__name__}. Pass the optimizer that amp.initialize returned."
            )
    return listed


class scale_loss:
    """Scales a loss for the backward pass in the block, and unscales the gradients at its end.

    `loss` is a tensor; the block gets it in FP32, multiplied by the scale. `optimizers` is the optimizer, or the list of
    optimizers, whose gradients the pass computes. `loss_id` chooses one of the `num_losses` scalers. `delay_unscale`
    leaves gradients scaled; set it for all but the last pass before a step. `delay_overflow_check` leaves the scale
    unchanged; the next pass of the loss without the flag counts an overflow. `model` is unused, as in Apex.

    If a gradient is not finite and the scale is dynamic, the scale falls, and the next step of each of these optimizers
    is skipped. If the block raises, gradients are as before. Raises RuntimeError before initialize() and for an optimizer
    that was not passed to initialize(), and TypeError for a loss that is not a tensor.
    """

    def __init__(self, loss, optimizers, loss_id=0, model=None, delay_unscale=False, delay_overflow_check=False):
        if not isinstance(loss, torch.Tensor):
            raise TypeError(f"amp.scale_loss takes a tensor as the loss, but got {type(loss).__name__}.")
        self._arguments = (loss, optimizers, loss_id, delay_unscale, delay_overflow_check)
        self._block = None

    def __enter__(self):
        loss, optimizers, *options = self._arguments
        if not _amp_state.optimizers and not _is_enabled():
            return loss
        listed = _optimizers_in(optimizers)
        self._block, scaled, has_new_masters = _begin(loss, [_amp_state.optimizers[each] for each in listed], *options)
        if has_new_masters:
            for optimizer in listed:
                take_masters(optimizer, _amp_state.optimizers[optimizer])
        return scaled

    def __exit__(self, kind, error, traceback):
        block, self._block = self._block, None
        if block is None:
            return
        if kind is None:
            block.finish()
        else:
            block.undo()


class disable_casts:
    """Disables O1's casts on this thread in a block: `with amp.disable_casts():`."""

    def __enter__(self):
        self._scope = classes.NoCasts()

    def __exit__(self, *error):
        self._scope.end()

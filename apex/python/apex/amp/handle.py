# SPDX-License-Identifier: Apache-2.0
"""The blocks that a script puts around backward, and around code without casts."""

import torch

from .._library import classes
from ._amp_state import _amp_state

_begin = classes.ScaleLoss.begin


def _handles_of(optimizers):
    handles = []
    for optimizer in optimizers if isinstance(optimizers, (list, tuple)) else [optimizers]:
        handle = _amp_state.optimizers.get(optimizer)
        if handle is None:
            raise RuntimeError(
                "amp.scale_loss got an optimizer that was not passed to amp.initialize: "
                f"{type(optimizer).__name__}. Pass the optimizer that amp.initialize returned."
            )
        handles.append(handle)
    return handles


class scale_loss:
    """Scales a loss for the backward pass in the block, and leaves unscaled gradients behind.

    `optimizers` is the optimizer, or the list of them, whose gradients the pass makes; `loss_id` says which of the
    `num_losses` scalers is meant. With `delay_unscale` gradients stay scaled, for all but the last pass before a step.
    With `delay_overflow_check` the scale stays; an overflow is counted by the next pass of the loss without the flag.
    `model` is unused, as in Apex. Where a gradient is not finite and the scale is dynamic, the scale falls, and the next
    step of each of these optimizers is skipped. Gradients are as before where the block raises.
    """

    def __init__(self, loss, optimizers, loss_id=0, model=None, delay_unscale=False, delay_overflow_check=False):
        if not isinstance(loss, torch.Tensor):
            raise TypeError(f"amp.scale_loss takes a tensor as the loss, and got {type(loss).__name__}.")
        if _amp_state.is_enabled is None:
            raise RuntimeError("amp.scale_loss was called before amp.initialize(model, optimizer, opt_level=...).")
        self._arguments = (loss, optimizers, loss_id, delay_unscale, delay_overflow_check)
        self._block = None

    def __enter__(self):
        loss, optimizers, *options = self._arguments
        self._arguments = None
        if not _amp_state.is_enabled:
            return loss
        self._block, scaled = _begin(loss, _handles_of(optimizers), *options)
        return scaled

    def __exit__(self, kind, error, traceback):
        if self._block is None:
            return
        if kind is None:
            self._block.finish()
        else:
            self._block.undo()


class disable_casts:
    """A block in which O1 casts nothing."""

    def __enter__(self):
        self._scope = classes.NoCasts()

    def __exit__(self, *error):
        self._scope.end()

# SPDX-License-Identifier: Apache-2.0
"""Keeps what is needed to compute a step's losses again, after the program and outside of its recording."""

import os
import pathlib

import torch

FOLDER = "IMPACT_STATES"  # environment variable: where to write; nothing is kept without it
WARM_UP = 20
STEPS = WARM_UP + 16


def keep(step, loss, model, batch, share=1.0, position=0, warm_up=WARM_UP):
    """Writes a loss, with the batch and the weights that it was computed from. Writing calls no op.

    Steps count from 1. `share` is what the loss is multiplied by before its backward pass, scale left out, and
    `position` counts the updates before it in its step. Those of the first `warm_up` steps are not kept.
    """
    if FOLDER not in os.environ or step <= warm_up:
        return
    folder = pathlib.Path(os.environ[FOLDER])
    state = {"step": step, "position": position, "share": share, "loss": loss.item(), "model": model, "batch": batch}
    torch.save(state, folder / f"{len(list(folder.iterdir())):04}.pt")

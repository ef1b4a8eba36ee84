# SPDX-License-Identifier: Apache-2.0
"""Keeps the data for computing a step's losses again, after the program and outside of its recording."""

import os
import pathlib

import torch

FOLDER = "IMPACT_STATES"  # environment variable with the folder to write to; without it nothing is kept
WARM_UP = 20
STEPS = WARM_UP + 16


def keep(step, loss, model, batch, share=1.0, position=0, warm_up=WARM_UP):
    """Writes a loss, with the batch and the weights that it was computed from. Writing calls no op.

    Steps count from 1. `share` is the factor of the loss before its backward pass, without the loss scale. `position`
    counts the updates before it in its step. Skips the first `warm_up` steps."""
    if FOLDER not in os.environ or step <= warm_up:
        return
    folder = pathlib.Path(os.environ[FOLDER])
    state = {"step": step, "position": position, "share": share, "loss": loss.item(), "model": model, "batch": batch}
    torch.save(state, folder / f"{len(list(folder.iterdir())):04}.pt")

# SPDX-License-Identifier: Apache-2.0
"""Saves the data from which a step's losses are computed again, outside of the recording."""

import os
import pathlib

import torch

FOLDER = "IMPACT_STATES"  # environment variable with the folder to write to; if unset, nothing is saved
WARM_UP = 20
STEPS = WARM_UP + 16


def keep(step, loss, model, batch, share=1.0, position=0, warm_up=WARM_UP):
    """Saves a loss with the batch and the weights from which it was computed. Calls no op, so the report is unaffected.

    Steps count from 1. `share` is the factor by which the program multiplies the loss before its backward pass, without
    the loss scale. `position` is the number of earlier updates in the same step. Skips the first `warm_up` steps."""
    if FOLDER not in os.environ or step <= warm_up:
        return
    folder = pathlib.Path(os.environ[FOLDER])
    state = {"step": step, "position": position, "share": share, "loss": loss.item(), "model": model, "batch": batch}
    torch.save(state, folder / f"{len(list(folder.iterdir())):04}.pt")

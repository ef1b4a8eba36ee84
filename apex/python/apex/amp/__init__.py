# SPDX-License-Identifier: Apache-2.0
"""Apex's amp: opt levels O0 to O3 in two or three lines of a training script.

    model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    optimizer.step()

Wrong use raises RuntimeError with the engine's message.
"""

from ._amp_state import _amp_state, master_params  # the object hides the module, as in Apex
from .frontend import initialize, load_state_dict, shutdown, state_dict
from .functions import (
    float_function,
    half_function,
    promote_function,
    register_float_function,
    register_half_function,
    register_promote_function,
)
from .handle import disable_casts, scale_loss

__all__ = [
    "disable_casts",
    "float_function",
    "half_function",
    "initialize",
    "load_state_dict",
    "master_params",
    "promote_function",
    "register_float_function",
    "register_half_function",
    "register_promote_function",
    "scale_loss",
    "shutdown",
    "state_dict",
]

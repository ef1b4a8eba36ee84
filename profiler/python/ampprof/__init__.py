# SPDX-License-Identifier: Apache-2.0
"""Records what each op of a PyTorch program loses in FP16, and reads the reports.

    with ampprof.record("x.ampprof", impact=True):
        train()
    ampprof.open("x.ampprof").ops

step() and loss_scale() inform the recording in progress; without a recording they do nothing. Importing the module
imports neither torch nor pandas. Under `ampprof run` this module is always available. A program that must also run
without ampprof writes:

    try:
        import ampprof
    except ImportError:
        ampprof = None
"""

import ctypes

from ._installation import CommandError
from ._recording import Recording, RecordingError, record, stop
from ._report import Report
from ._report import Report as open

__all__ = ["CommandError", "Recording", "RecordingError", "Report", "loss_scale", "open", "record", "step", "stop"]


def _tell(name, *values):
    try:
        function = getattr(ctypes.PyDLL(None), name)
    except AttributeError:  # nothing has recorded this process so far
        return
    function.restype = None
    function(*values)


def step():
    """Marks the end of a training step. After the first call, ampprof no longer guesses where steps end."""
    _tell("ampprof_step_ended")


def loss_scale(scale):
    """Announces that the program multiplies its losses by `scale`, a number, from now on. Loss impacts are divided by
    it."""
    _tell("ampprof_loss_scale", ctypes.c_double(scale))

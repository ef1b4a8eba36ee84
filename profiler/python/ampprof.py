# SPDX-License-Identifier: Apache-2.0
"""What a program may tell ampprof. Without ampprof these do nothing; `ampprof run` brings this module along, and a
program that also runs without it takes a copy, or imports it where it is there:

    try:
        import ampprof
    except ImportError:
        ampprof = None
"""

import ctypes


def _function(name, *types):
    try:
        function = getattr(ctypes.PyDLL(None), name)
    except AttributeError:
        return lambda *_: None
    function.argtypes, function.restype = types, None
    return function


_step_ended = _function("ampprof_step_ended")
_loss_scale = _function("ampprof_loss_scale", ctypes.c_double)


def step():
    """A step ends here. Once a program says so, ampprof no longer guesses where steps end."""
    _step_ended()


def loss_scale(scale):
    """From here on the program multiplies its losses by `scale` itself: loss impacts are divided by it."""
    _loss_scale(float(scale))

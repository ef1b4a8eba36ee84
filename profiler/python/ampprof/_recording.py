# SPDX-License-Identifier: Apache-2.0
"""Recordings that a running interpreter begins and ends itself."""

import atexit
import ctypes
import os
import sys
import warnings

from . import _installation
from ._report import Report

_NOW, _WAS_ALREADY, _NOT = range(3)  # as profiler/preload/own_recording.cpp answers


class RecordingError(RuntimeError):
    """Why no recording could begin."""


def _functions():
    """The C functions of the stub: the one that `ampprof run` has preloaded, or one that is loaded now. RTLD_GLOBAL, so
    that LibTorch, where it is loaded later, finds the stub as it would find a preloaded one."""
    library = ctypes.PyDLL(None)
    if not hasattr(library, "ampprof_record_begin"):
        library = ctypes.PyDLL(_installation.stub(), mode=ctypes.RTLD_GLOBAL)
    library.ampprof_record_begin.argtypes = [ctypes.POINTER(ctypes.c_char_p)]
    library.ampprof_record_message.restype = ctypes.c_char_p
    library.ampprof_record_report.restype = ctypes.c_char_p
    return library


def _flags(report, options):
    """`what_if="fp16"` is `--what-if=fp16`; what is False or None is left out."""
    flags = [] if report is None else [f"--output={os.fspath(report)}"]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            flags.append(flag)
        elif value is not None and value is not False:
            flags.append(f"{flag}={','.join(map(str, value)) if isinstance(value, (list, tuple)) else value}")
    return flags


def _exit_code_of(error):
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    return 1


class Recording:
    """A recording of this process, from start() to stop(): `with` does both. What the options are called, and what they
    do, is said by `ampprof run --help`; all that say what to record are there. Where the process is recorded already, it
    warns and does nothing. Forks of the process do not disturb it, and never end it."""

    def __init__(self, report=None, **options):
        self._flags = _flags(report, options)
        self._functions = None
        self._process = None  # that is being recorded
        self.path = None  #: of the report, once it has begun

    def start(self):
        """Begins. Raises RecordingError."""
        import torch  # noqa: F401: LibTorch has to be there

        self._functions = _functions()
        flags = [os.fsencode(flag) for flag in self._flags]
        begun = self._functions.ampprof_record_begin((ctypes.c_char_p * (len(flags) + 1))(*flags, None))
        if begun == _NOT:
            raise RecordingError(self._message())
        if begun == _WAS_ALREADY:
            warnings.warn(self._message(), stacklevel=2)
            return self
        self._process = os.getpid()
        self.path = os.fsdecode(self._functions.ampprof_record_report())
        sys.modules["ampprof_hooks"].recording_begins()
        atexit.register(self.stop)
        return self

    def stop(self, exit_code=0):
        """Ends, and completes the report. `exit_code`: 0, or one that says that the program failed. Warns where the
        report holds no op call."""
        told = self.end(exit_code)
        if told is not None:
            warnings.warn(told, stacklevel=2)

    def end(self, exit_code=0):
        """stop(), which returns its warning; None where there is none."""
        if self._process != os.getpid():
            return None
        self._process = None
        atexit.unregister(self.stop)
        sys.modules["ampprof_hooks"].recording_ends()
        # CDLL: it waits for a thread, so others may need the interpreter's lock meanwhile.
        ended = ctypes.CDLL(None).ampprof_record_end(exit_code)
        return None if ended == 0 else self._message()

    @property
    def report(self):
        """The Report, which a recording in progress adds to."""
        return Report(self.path)

    @property
    def is_active(self):
        return self._process == os.getpid()

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, error, trace):
        self.stop(_exit_code_of(error))

    def _message(self):
        return os.fsdecode(self._functions.ampprof_record_message())

    def __repr__(self):
        if self.path is None:
            return "<ampprof.Recording that has not begun>"
        if self.is_active:
            return f"<ampprof.Recording in progress, to {self.path}>"
        return repr(self.report)

    def _repr_html_(self):
        return None if self.path is None or self.is_active else self.report._repr_html_()


def record(report=None, **options):
    """A Recording to `report`, or to the next free ampprof-<n>.ampprof.

    with ampprof.record("x.ampprof", impact=True, steps="1:20", force=True) as recording:
        train()
    """
    return Recording(report, **options)

# SPDX-License-Identifier: Apache-2.0
"""Recordings that a running interpreter begins and ends itself."""

import atexit
import ctypes
import os
import sys
import warnings

from . import _installation
from ._report import Report

_NOW, _WAS_ALREADY, _NOT = range(3)  # results of ampprof_record_begin() in profiler/preload/own_recording.cpp

_in_progress = None  # the Recording of this process


class RecordingError(RuntimeError):
    """A recording could not begin, or has no report yet. The message says why."""


def _functions():
    """Returns the stub's C functions. Uses the stub that `ampprof run` has preloaded, or loads it now, with
    RTLD_GLOBAL, so that a LibTorch that is loaded later finds its symbols as if it were preloaded."""
    library = ctypes.PyDLL(None)
    if not hasattr(library, "ampprof_record_begin"):
        library = ctypes.PyDLL(_installation.stub(), mode=ctypes.RTLD_GLOBAL)
    library.ampprof_record_begin.argtypes = [ctypes.POINTER(ctypes.c_char_p)]
    library.ampprof_record_message.restype = ctypes.c_char_p
    library.ampprof_record_report.restype = ctypes.c_char_p
    return library


def _exit_code_of(error):
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    return 1


class Recording:
    """A recording of this process, from start() to stop(). `with` calls both.

    Keyword arguments are the recording options of `ampprof run`, with `_` in place of `-`: `what_if="fp16"` is
    `--what-if fp16`, `impact=True` is `--impact`, a list is joined by commas. `ampprof run --help` explains them. If
    the process is recorded already, start() warns and does nothing. Forks of the process neither disturb nor end a
    recording. A recording that is in progress when the interpreter exits is completed, as failed if an exception ended
    the script.
    """

    def __init__(self, report=None, **options):
        output = [] if report is None else [f"--output={os.fsdecode(report)}"]
        self._flags = output + _installation.flags(options)
        self._functions = None
        self._process = None  # id of the process that is being recorded
        self.path = None  #: path of the report, a str; None before start()

    def start(self):
        """Begins the recording, and returns it. Imports torch.

        Raises RecordingError if nothing can be recorded: an unknown option, an output that exists already (`force=True`
        replaces it), a LibTorch that ampprof was not built for. Raises CommandError if files of ampprof are missing.
        """
        import torch  # noqa: F401: LibTorch must be loaded

        self._functions = _functions()
        was_already = self._functions.ampprof_record_in_progress()
        try:
            self._begin()
        except BaseException:  # KeyboardInterrupt too: nothing else would end a recording that has begun
            if not was_already and self._functions.ampprof_record_in_progress():
                self._functions.ampprof_record_end(1)
            raise
        return self

    def _begin(self):
        global _in_progress
        flags = [os.fsencode(flag) for flag in self._flags]
        begun = self._functions.ampprof_record_begin((ctypes.c_char_p * (len(flags) + 1))(*flags, None))
        if begun == _NOT:
            raise RecordingError(self._message())
        if begun == _WAS_ALREADY:
            warnings.warn(self._message(), stacklevel=3)
            return
        self.path = os.fsdecode(self._functions.ampprof_record_report())
        self._hooks = sys.modules["ampprof_hooks"]
        self._hooks.recording_begins()
        atexit.register(self._stop_at_exit)
        self._process = os.getpid()
        _in_progress = self

    def stop(self, exit_code=0):
        """Ends the recording and completes the report. Does nothing if the recording is not in progress.

        `exit_code` is an int. Any value but 0 marks the run in the report as failed. Warns if the report has no op call.
        """
        told = self.end(exit_code)
        if told is not None:
            warnings.warn(told, stacklevel=2)

    def end(self, exit_code=0):
        """Ends the recording like stop(), but returns the warning, a str, or None, instead of issuing a warning."""
        global _in_progress
        if not self.is_active:
            return None
        try:
            self._hooks.recording_ends()
        finally:
            # CDLL releases the GIL, because the call waits for a thread that may need it
            ended = ctypes.CDLL(None).ampprof_record_end(exit_code)
            self._process = _in_progress = None
            atexit.unregister(self._stop_at_exit)
        return None if ended == 0 else self._message()

    def _stop_at_exit(self):
        """Ends the recording, as failed if an exception ended the script. At a prompt an exception ends only one
        line."""
        is_prompt = hasattr(sys, "ps1") or "ipykernel" in sys.modules
        self.stop(int(not is_prompt and getattr(sys, "last_value", None) is not None))

    @property
    def report(self):
        """The Report, which a recording in progress still extends. Raises RecordingError before start()."""
        if self.path is None:
            raise RecordingError("This recording has not begun, so it has no report.")
        return Report(self.path)

    @property
    def is_active(self):
        """Whether the recording is in progress in this process; False in a fork of the process."""
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
        try:
            return repr(self.report)
        except _installation.CommandError as error:
            return f"<ampprof.Recording to {self.path}: {error}>"

    def _repr_html_(self):
        return None if self.path is None or self.is_active else self.report._repr_html_()


def record(report=None, **options):
    """Returns a Recording to the path `report`, or to the next free ampprof-<n>.ampprof. Begin it with `with` or start().

        with ampprof.record("x.ampprof", impact=True, steps="1:20", force=True) as recording:
            train()

    `%r` in the path is replaced by the rank. See Recording for the options.
    """
    return Recording(report, **options)


def stop(exit_code=0):
    """Ends the recording of this process that is in progress, even if the program has lost its Recording object. Does
    nothing if there is none."""
    if _in_progress is not None:
        _in_progress.stop(exit_code)

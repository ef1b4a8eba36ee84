# SPDX-License-Identifier: Apache-2.0
"""`pytest --ampprof[=DIR]`: a report of each test, and rules that each has to meet."""

import pathlib
import re

import pytest

from ._installation import CommandError
from ._recording import Recording, RecordingError
from ._report import Report

_REPORTS = pytest.StashKey()


def pytest_addoption(parser):
    group = parser.getgroup("ampprof", "what each op of a test loses in reduced precision")
    group.addoption(
        "--ampprof",
        metavar="DIR",
        nargs="?",
        const="ampprof-reports",
        help="write a report of each test into DIR (ampprof-reports)",
    )
    group.addoption(
        "--ampprof-option",
        metavar="OPTION",
        action="append",
        default=[],
        help="record with this option of `ampprof run`: impact, what_if=fp16; may be given again",
    )
    group.addoption(
        "--ampprof-check",
        metavar="RULE",
        action="append",
        default=[],
        help="fail each test whose report does not meet this rule of `ampprof check`; may be given again",
    )


def pytest_configure(config):
    if config.getoption("--ampprof") is None and (config.getoption("--ampprof-check") or config.getoption("--ampprof-option")):
        raise pytest.UsageError("--ampprof-check and --ampprof-option are about reports: add --ampprof.")
    config.stash[_REPORTS] = []


def _options(words):
    pairs = (word.partition("=") for word in words)
    return {name: value if separator else True for name, separator, value in pairs}


def _path(config, item):
    folder = pathlib.Path(config.getoption("--ampprof"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / (re.sub(r"[^\w.-]+", "_", item.nodeid).strip("_") + ".ampprof")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    if item.config.getoption("--ampprof") is None:
        return (yield)
    path = _path(item.config, item)
    recording = Recording(path, force=True, **_options(item.config.getoption("--ampprof-option")))
    try:
        recording.start()
    except (RecordingError, CommandError) as error:
        pytest.exit(f"ampprof: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
    exit_code = 1
    try:
        result = yield
        exit_code = 0
    finally:
        is_written = _end(recording, exit_code)
        if is_written:
            item.config.stash[_REPORTS].append(path)
    if is_written:
        _check(item.config, path)
    return result


def _end(recording, exit_code):
    """Whether there is a report now: not of a test without an op, nor where pytest itself is recorded."""
    is_written = recording.is_active and recording.end(exit_code) is None
    if not is_written and recording.path is not None:
        pathlib.Path(recording.path).unlink(missing_ok=True)
    return is_written


def _check(config, path):
    rules = config.getoption("--ampprof-check")
    if not rules:
        return
    try:
        failed = Report(path).check(*rules)
    except CommandError as error:
        pytest.exit(f"ampprof: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
    if failed:
        pytest.fail(f"{failed}\nThe report is {path}", pytrace=False)


def pytest_terminal_summary(terminalreporter, config):
    reports = config.stash[_REPORTS]
    if reports:
        terminalreporter.write_line(f"ampprof: {len(reports)} report(s) in {reports[0].parent}; to read one: ampprof show {reports[0]}")

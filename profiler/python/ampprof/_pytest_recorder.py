# SPDX-License-Identifier: Apache-2.0
"""Records each test under `pytest --ampprof`, and checks its report."""

import hashlib
import json
import pathlib
import re

import pytest

from ._installation import CommandError, run_command
from ._recording import Recording, RecordingError
from ._report import Report

_LONGEST_NAME = 180  # file systems take 255 bytes
_MOST_FINDINGS = 3  # findings of a test in the summary


def _file_name(test):
    """Returns the name of a test's report, made from the test's id. If characters were replaced or cut off, a digest
    makes the name unique."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", test).strip("_")
    if name != test.replace("/", "_").replace("::", "_").strip("_") or len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}-{hashlib.sha256(test.encode()).hexdigest()[:8]}"
    return name + ".ampprof"


def _options(words):
    pairs = (word.partition("=") for word in words)
    return {name: value if separator else True for name, separator, value in pairs}


class Recorder:
    """A pytest plugin, configured by the options of pytest_plugin."""

    def __init__(self, config):
        self._folder_as_given = config.getoption("--ampprof-dir")
        self._folder = pathlib.Path(self._folder_as_given).absolute()  # since tests may change the working directory
        self._options = _options(config.getoption("--ampprof-option"))
        self._rules = config.getoption("--ampprof-check")
        self._is_xdist_worker = hasattr(config, "workerinput")
        self._reports = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        path = self._folder / _file_name(item.nodeid)
        recording = Recording(path, force=True, **self._options)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            recording.start()
        except (OSError, RecordingError, CommandError) as error:
            self._refuse(error)
        exit_code = 1
        try:
            result = yield
            exit_code = 0
        except pytest.skip.Exception:
            exit_code = 0
            raise
        finally:
            is_written = self._end(recording, exit_code)
        if is_written:
            self._check(path)
        return result

    def _end(self, recording, exit_code):
        """Ends a recording. Returns whether the report was written. A test without op calls has no report; if pytest
        itself is being recorded, no test has one."""
        is_written = recording.is_active and recording.end(exit_code) is None
        if is_written:
            self._reports.append(pathlib.Path(self._folder_as_given, pathlib.Path(recording.path).name))
        elif recording.path is not None:
            pathlib.Path(recording.path).unlink(missing_ok=True)
        return is_written

    def _check(self, path):
        if not self._rules:
            return
        try:
            failed = Report(path).check(*self._rules)
        except CommandError as error:
            self._refuse(error)
        if failed:
            pytest.fail(f"{failed}\nThe report is {path}", pytrace=False)

    def _refuse(self, error):
        """Ends the session, since no test can be recorded. In a worker of xdist, which may not end the session, fails
        the test."""
        if self._is_xdist_worker:
            pytest.fail(f"ampprof: {error}", pytrace=False)
        pytest.exit(f"ampprof: {error}", returncode=pytest.ExitCode.USAGE_ERROR)

    def pytest_terminal_summary(self, terminalreporter):
        if self._reports:
            terminalreporter.write_line(
                f"ampprof: {len(self._reports)} report(s) in {self._folder_as_given}; to read one: ampprof show {self._reports[0]}"
            )
        for report in self._reports:
            self._write_findings(terminalreporter, report)

    def _write_findings(self, terminalreporter, report):
        """Writes the first findings of a report. Skips a report that was removed meanwhile."""
        try:
            findings = json.loads(run_command("show", self._folder / report.name, "findings", "--format=json"))
        except CommandError:
            return
        for finding in findings[:_MOST_FINDINGS]:
            place = finding["cause"]["source"] or finding["cause"]["call_site"]
            terminalreporter.write_line(f"ampprof: {report}: {finding['kind']} at {place}: {finding['mechanism']}")

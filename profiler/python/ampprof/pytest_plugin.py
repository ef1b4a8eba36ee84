# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: `pytest --ampprof` writes a report of each test, and fails tests whose report breaks a rule.

`--ampprof-dir DIR` is the folder of the reports (default: ampprof-reports). `--ampprof-option OPTION` records with an
option of `ampprof run`: impact, what_if=fp16. `--ampprof-check RULE` fails each test whose report breaks this rule of
`ampprof check`. The last two may be repeated. Needs pytest 7.4 and pluggy 1.2.
"""

# Every pytest loads this module if ampprof is installed, so it must work with old versions of pytest. The rest is in
# _pytest_recorder.

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("ampprof", "what each op of a test loses in reduced precision")
    group.addoption("--ampprof", action="store_true", help="write a report of each test")
    group.addoption(
        "--ampprof-dir",
        metavar="DIR",
        default="ampprof-reports",
        help="write the reports into this folder (default: ampprof-reports)",
    )
    group.addoption(
        "--ampprof-option",
        metavar="OPTION",
        action="append",
        default=[],
        help="record with an option of `ampprof run`, such as impact or what_if=fp16; may be repeated",
    )
    group.addoption(
        "--ampprof-check",
        metavar="RULE",
        action="append",
        default=[],
        help="fail each test whose report does not meet this rule of `ampprof check`; may be repeated",
    )


def pytest_configure(config):
    if not config.getoption("--ampprof"):
        if config.getoption("--ampprof-check") or config.getoption("--ampprof-option"):
            raise pytest.UsageError("--ampprof-check and --ampprof-option need reports: add --ampprof.")
        return
    try:
        from ._pytest_recorder import Recorder
    except (AttributeError, TypeError):
        raise pytest.UsageError("--ampprof needs pytest 7.4 and pluggy 1.2: pip install -U pytest pluggy") from None
    config.pluginmanager.register(Recorder(config))

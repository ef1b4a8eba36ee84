# SPDX-License-Identifier: Apache-2.0
"""Reports as tables, with the columns of `ampprof show --format json`."""

import functools
import html
import json
import math
import os
import pathlib
import tempfile

from . import _installation

# Values that JSON cannot represent as numbers, as views/table/value.cpp writes them.
_NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def _table(rows):
    """Returns a pandas.DataFrame if pandas can be imported, else the list of rows."""
    try:
        import pandas
    except Exception:  # a pandas built for another NumPy raises a ValueError
        return rows
    return pandas.DataFrame(rows)


def _row(row):
    return {key: _NUMBERS.get(value, value) if isinstance(value, str) else value for key, value in row.items()}


class Report:
    """A report that `ampprof run` or record() wrote, at the path `path`.

    Each view of `ampprof show` is a property: `runs`, `ops`, `events`, `impact`, `losses`, `loss_scale`, `missing` and
    so on. A table is a pandas.DataFrame if pandas is installed, otherwise a list of dicts; `summary` is a dict. Columns
    have the names and units of `ampprof show --format json`. Tables are read at the first access, and kept.

    Raises CommandError if the file is not a report.
    """

    def __init__(self, path):
        self.path = os.path.abspath(os.fsdecode(path))  # tables are read later, perhaps from another folder
        self.runs  # raises for a file that is not a report

    def view(self, name, **options):
        """Returns a view of `ampprof show` as a table, or as a dict for `summary`. Reads the report at each call.

        Keyword arguments are options of the command: `report.view("ops", run="O1", sort="local_max_ulp")`. Raises
        CommandError, with the message of the command line, if there is no such view or option.
        """
        words = [self.path, name.replace("_", "-"), *_installation.flags(options)]
        found = json.loads(_installation.run_command("show", *words, "--format=json"))
        if isinstance(found, dict):
            return found
        return _table([_row(row) for row in found])

    @functools.cached_property
    def runs(self):
        """A row for each run of the program."""
        return self.view("runs")

    @functools.cached_property
    def ops(self):
        """A row for each call site: calls, types, times, errors."""
        return self.view("ops")

    @functools.cached_property
    def events(self):
        """A row for each event of NaN or inf: where it began, and which gradients it reached."""
        return self.view("events")

    @functools.cached_property
    def impacts(self):
        """A row for each call site whose effect on the loss was estimated (impact=True)."""
        return self.view("impact")

    @functools.cached_property
    def missing(self):
        """A row for each item that could not be recorded, with its cause and remedy."""
        return self.view("missing")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            table = self.view(name)
        except _installation.CommandError as error:
            raise AttributeError(str(error)) from None
        setattr(self, name, table)
        return table

    def check(self, *rules):
        """Checks the report by rules of `ampprof check`, such as "overflows == 0".

        Returns "" if the report meets all rules, otherwise the output of the command. Raises CommandError if a rule is
        invalid.
        """
        judged = _installation.ask("check", self.path, *(f"--gate={rule}" for rule in rules))
        if judged.returncode not in (0, 1):
            raise _installation.CommandError.of(judged)
        return judged.stdout if judged.returncode == 1 else ""

    def to_html(self):
        """Returns the HTML page of `ampprof export --to html`, a str. The page needs no network."""
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "report.html")
            _installation.run_command("export", self.path, "--to", "html", "-o", page)
            return page.read_text(encoding="utf-8")

    def _repr_html_(self):
        return (
            f'<iframe srcdoc="{html.escape(self.to_html())}" sandbox="allow-scripts" '
            'style="width: 100%; height: 40em; border: none"></iframe>'
        )

    def __repr__(self):
        try:
            return _installation.run_command("show", self.path)
        except _installation.CommandError as error:
            return f"<ampprof.Report {self.path}: {error}>"

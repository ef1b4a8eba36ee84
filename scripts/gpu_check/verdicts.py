# SPDX-License-Identifier: Apache-2.0
"""Prints the results of a phase: tables, and a verdict per goal."""

import math

MOST = 125  # largest exit code for a count, since shells use larger ones for other purposes


def line(good, sentence):
    return f"{'ok    ' if good else 'FAILED'}  {sentence}\n"


def text_of(cell):
    return "-" if cell is None else f"{cell:.3g}" if isinstance(cell, float) else str(cell)


def table(head, rows):
    """Returns a table with columns as wide as needed; numbers are right-aligned."""
    cells = [[text_of(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [head, *cells]) for i in range(len(head))]
    is_number = [bool(rows) and all(isinstance(row[i], (int, float, type(None))) for row in rows) for i in range(len(head))]

    def joined(row):
        parts = [text.rjust(width) if right else text.ljust(width) for text, width, right in zip(row, widths, is_number)]
        return "  ".join(parts).rstrip() + "\n"

    return "".join(joined(row) for row in [head, *cells])


class Verdicts:
    """Prints verdicts and counts failures."""

    def __init__(self, seconds=math.inf):
        self.seconds = seconds  # time limit of the phase
        self.given = 0
        self.failed = 0

    def title(self, text):
        print(f"\n-- {text}", flush=True)

    def table(self, head, rows):
        print(table(head, rows) if rows else "", end="", flush=True)

    def say(self, text):
        print(text.rstrip(), flush=True)

    def check(self, good, sentence):
        """Adds a verdict: whether the goal in `sentence` was reached. Returns it."""
        self.given += 1
        self.failed += not good
        print(line(good, sentence), end="", flush=True)
        return bool(good)

    def at_most(self, value, most, sentence, unit=""):
        """Adds a verdict on a value with an upper limit. A missing value (None) fails."""
        good = value is not None and value <= most
        return self.check(good, f"{sentence}: {text_of(value)}{unit}, at most {text_of(most)}{unit}")

    def at_least(self, value, least, sentence, unit=""):
        good = value is not None and value >= least
        return self.check(good, f"{sentence}: {text_of(value)}{unit}, at least {text_of(least)}{unit}")

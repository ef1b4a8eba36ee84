# SPDX-License-Identifier: Apache-2.0
"""What a phase says: tables, and a verdict per goal."""

import math

MOST = 125  # checks that an exit code can count: a shell has other uses for the numbers beyond


def line(good, sentence):
    return f"{'ok    ' if good else 'FAILED'}  {sentence}\n"


def text_of(cell):
    return "-" if cell is None else f"{cell:.3g}" if isinstance(cell, float) else str(cell)


def table(head, rows):
    """Columns as wide as they must be; numbers to the right."""
    cells = [[text_of(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [head, *cells]) for i in range(len(head))]
    is_number = [bool(rows) and all(isinstance(row[i], (int, float, type(None))) for row in rows) for i in range(len(head))]

    def joined(row):
        parts = [text.rjust(width) if right else text.ljust(width) for text, width, right in zip(row, widths, is_number)]
        return "  ".join(parts).rstrip() + "\n"

    return "".join(joined(row) for row in [head, *cells])


class Verdicts:
    """Prints as it is told and counts what failed."""

    def __init__(self, seconds=math.inf):
        self.seconds = seconds  # that the phase has
        self.given = 0
        self.failed = 0

    def title(self, text):
        print(f"\n-- {text}", flush=True)

    def table(self, head, rows):
        print(table(head, rows) if rows else "", end="", flush=True)

    def say(self, text):
        print(text.rstrip(), flush=True)

    def check(self, good, sentence):
        """A goal, and whether it was reached."""
        self.given += 1
        self.failed += not good
        print(line(good, sentence), end="", flush=True)
        return bool(good)

    def at_most(self, value, most, sentence, unit=""):
        """A figure that must be there and at most so large; no number fails."""
        good = value is not None and value <= most
        return self.check(good, f"{sentence}: {text_of(value)}{unit}, at most {text_of(most)}{unit}")

    def at_least(self, value, least, sentence, unit=""):
        good = value is not None and value >= least
        return self.check(good, f"{sentence}: {text_of(value)}{unit}, at least {text_of(least)}{unit}")

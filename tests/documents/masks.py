# SPDX-License-Identifier: Apache-2.0
"""Compares a command's output with a document. Numbers are masked."""
import re

ANY = "..."  # a line that stands for any lines

UNIT = r"(?:ns|µs|ms|min|s|B|kB|MB|GB|TB|kiB|MiB|GiB|%|k|M|G)"
RULES = [
    (re.compile(r"/tmp/[\w./-]+"), "PATH"),
    (re.compile(r"\b[0-9a-f]{40}\b"), "#"),                                    # a commit
    (re.compile(r"(?<![\w.])\d+\.\d+\.\d+(?:\.dev\d+|\.post\d+)?(?:\+[\w.]+)?"), "#"),  # a version
    (re.compile(rf"[-+±]?(?<![A-Za-z_.])\d[\d.,]*(?:e[-+]?\d+)?(?: ?{UNIT}\b|%)?"), "#"),
    (re.compile(r"\b(?:nan|inf)\b"), "#"),
    (re.compile(r"(?:# ?)*±?#(?: ?±? ?#)*"), "#"),
    (re.compile(r"[ \t]+"), " "),
]


def masked(line):
    for pattern, stand_in in RULES:
        line = pattern.sub(stand_in, line)
    return line.strip()


def difference(expected, printed):
    """Returns "" if the printed lines equal the expected ones after masking; otherwise the first line that differs."""
    expected = [masked(line) for line in expected]
    printed = [masked(line) for line in printed]
    while expected and not expected[-1]:
        expected.pop()
    while printed and not printed[-1]:
        printed.pop()

    def matches(i, j):
        while i < len(expected) and expected[i] != ANY:
            if j >= len(printed) or expected[i] != printed[j]:
                return False, i, j
            i, j = i + 1, j + 1
        if i == len(expected):
            return j == len(printed), i, j
        furthest = (i + 1, j)
        for start in range(j, len(printed) + 1):
            good, at, of = matches(i + 1, start)
            if good:
                return True, at, of
            furthest = max(furthest, (at, of))
        return False, *furthest

    good, i, j = matches(0, 0)
    if good:
        return ""
    said = expected[i] if i < len(expected) else "(nothing more)"
    came = printed[j] if j < len(printed) else "(nothing more)"
    return f"it says  {said}\nand prints {came}"

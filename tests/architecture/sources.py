# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the checks: the top-level folders, their headers, and C++ without comments and string literals."""
import pathlib
import re
import sys

FOLDERS = ("reports", "amp_core", "precision", "profiler", "analysis", "views", "cli", "gui", "samples", "apex")


def headers(root):
    """Yields (path relative to the root, text) of each header that other folders may include."""
    found = sorted(path for folder in FOLDERS for path in pathlib.Path(root, folder).rglob("*.h"))
    if not found:
        sys.exit(f"no headers below {root}: the check would see nothing.")
    for path in found:
        yield path.relative_to(root), path.read_text()


def code(text):
    """Returns C++ without comments, preprocessor lines and string literals. Lines keep their numbers."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\n]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*',
        re.S | re.M)

    def blank(match):
        whole = match.group()
        lines = "\n" * whole.count("\n")
        return '""' + lines if whole[0] in "\"R" else "' '" if whole[0] == "'" else lines

    return pattern.sub(blank, text)


def report(what, offenders):
    """Exits with an error that lists the offenders after the sentence `what`. Returns if there are none."""
    if offenders:
        sys.exit(f"{what} ({len(offenders)}):\n  " + "\n  ".join(offenders))

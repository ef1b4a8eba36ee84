#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of verbs from what the program says itself. Run: generate_reference.py PROGRAM [--check]

With --check it writes nothing, names pages that differ, and ends with 1 if there is one."""
import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent / "reference" / "verbs"
ORIGIN = "% Written by docs/generate_reference.py. Do not edit.\n"


def printed(program, *arguments):
    """Returns what the program prints, whatever the variables of the caller say."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("AMPPROF")}
    done = subprocess.run([program, *arguments], text=True, stdout=subprocess.PIPE, check=True,
                          env=kept | {"COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"})
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").split("\n"))


def verbs(program):
    """Returns the verbs with what each does."""
    return re.findall(r"^  ([a-z]+)  +(\S.*)$", printed(program, "--help"), re.M)


def page(program, verb):
    return f"{ORIGIN}\n# ampprof {verb}\n\n```text\n{printed(program, verb, '--help')}\n```\n"


def index(listed):
    rows = "\n".join(f"| [`{verb}`]({verb}.md) | {about} |" for verb, about in listed)
    names = "\n".join(verb for verb, _ in listed)
    return (f"{ORIGIN}\n# Verbs\n\nThese are the texts of `ampprof VERB --help`.\n\n| verb | what it does |\n|---|---|\n{rows}\n\n"
            f"```{{toctree}}\n:hidden:\n\n{names}\n```\n")


def pages(program):
    listed = verbs(program)
    return {"index.md": index(listed)} | {f"{verb}.md": page(program, verb) for verb, _ in listed}


def differences(wanted):
    """Returns the names of pages that are not as wanted, those too many included."""
    there = {path.name: path.read_text() for path in FOLDER.glob("*.md")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main(program, check=False):
    wanted = pages(program)
    different = differences(wanted)
    if check:
        for name in different:
            print(f"docs/reference/verbs/{name} is not what {program} says; write it anew: docs/generate_reference.py {program}")
        return 1 if different else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in different:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name])
        else:
            (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], check="--check" in sys.argv[2:]))

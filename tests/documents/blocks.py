# SPDX-License-Identifier: Apache-2.0
"""Reads commands from Markdown: commands in `console` blocks, with their output, and all other commands."""
import re
from dataclasses import dataclass, field

# First words of lines that are commands to type. Variables may come before them.
PROGRAMS = ("ampprof", "ampprof-gui", "make", "cmake", "ctest", "ninja", "pip", "pipx", "python", "python3", "PYTHON",
            "apt", "apt-get", "sudo", "dpkg", "tar", "git", "cd", "torchrun", "LD_PRELOAD", "man")
COMMAND = re.compile(r"^(?!.*──)(?:\$ )?(?:[A-Z_]+=(?:<[^>]*>|\S+) )*(?:(?:%s)(?= |$)|(?:\./|scripts/|tests/|bench/|build/bin/)\S+ )" %
                     "|".join(re.escape(program) for program in PROGRAMS))
FENCE = re.compile(r"^(`{3,})\s*(?:(\w*)|\{[\w-]+\}.*)\s*$")  # ```{name} is a directive of MyST
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) ")
SPAN = re.compile(r"`([^`\n]+)`")


@dataclass
class Command:
    """A command, its FILE:LINE, and the lines that it should print."""
    place: str
    text: str
    output: list = field(default_factory=list)


@dataclass
class Document:
    run: list = field(default_factory=list)     # commands in console blocks
    other: list = field(default_factory=list)   # commands in blocks without a language
    spans: list = field(default_factory=list)   # commands in sentences


def without_comment(line):
    return re.sub(r"\s+# .*$", "", line).strip()


def console(place, lines):
    """Returns the commands of a console block. The lines from a `$ ` line up to the next are its output."""
    commands = []
    for number, line in enumerate(lines):
        if line.startswith("$ "):
            commands.append(Command(f"{place + number + 1}", without_comment(line[2:])))
        elif commands and commands[-1].text.endswith("\\") and not commands[-1].output:
            commands[-1].text = commands[-1].text[:-1] + without_comment(line)
        elif commands:
            commands[-1].output.append(line)
    return commands


def blocks(text):
    """Yields (language, number of the line before the text, lines) of each block. An indented line is a block with the
    language "", any other line outside of blocks one with the language None."""
    language, start, gathered, opened, directives = None, 0, [], "", []
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if language is None and directives and line.strip() == directives[-1]:
            directives.pop()
        elif language is None and fence and fence[2] is None:  # a directive's text is read like other text
            directives.append(fence[1])
        elif fence and language is None:
            language, start, gathered, opened = fence[2], number, [], fence[1]
        elif line.startswith(opened) and language is not None:
            yield language, start, gathered
            language = None
        elif language is not None:
            gathered.append(line)
        elif line.startswith("    ") and not ITEM.match(line):
            yield "", number - 1, [line[4:]]
        else:
            yield None, number - 1, [line]


def document(name, text):
    found = Document()
    for language, start, lines in blocks(text):
        if language == "console":
            found.run += console(start, lines)
        elif language == "":
            found.other += [Command(str(start + i + 1), without_comment(line)) for i, line in enumerate(lines)
                            if COMMAND.match(line)]
        elif language is None:
            found.spans += [Command(str(start + 1), span) for span in SPAN.findall(lines[0])]
    for command in found.run + found.other + found.spans:
        command.place = f"{name}:{command.place}"
    return found

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds sentences that are probably not plain English. Run: plain_english.py ROOT [--list]

Reads comments, docstrings, messages and documents of all tracked files. Fails if a sentence is found that is not in read.txt,
or if read.txt has a sentence that is no longer found. With --list it prints all findings and does not fail."""
import pathlib
import re
import subprocess
import sys

READ = pathlib.Path(__file__).with_name("read.txt")
SUFFIXES = {".cpp", ".cu", ".cuh", ".h", ".md", ".py"}
FEWEST_WORDS = 4

RULES = {
    "the subject comes late": r"^(Of|Those|Whatever|Whoever|From which|By which)\b(?! course\b)|^(What(?!-if)|Who|Where)\b(?!.*\?$)",
    "'is no', in place of 'is not a'":
        r"(?<![Tt]here )\b(is|are|was|were) no (?!(longer|more|need|different|such|way|reason|better|worse)\b)\w+",
    "pronouns in a row": r"\b(what of|of what|that of|those of|of those) \w+(,| (is|are|has|have|that)\b)",
    "words that engineers do not use":
        r"\b(is known of|tells? of|says of|asks? of|speaks? of|comes? of|lets? go|is told|are told|goes along|is one's own)\b",
}
RULES = {name: re.compile(rule) for name, rule in RULES.items()}

COMMENT = re.compile(r"^\s*(?://+|#+)<?(?!\s*SPDX)\s*(.*)$")
BESIDE_CODE = re.compile(r"\S\s+(?://+<?|#(?= ))\s*(.*)$")
MESSAGE = re.compile(r'"((?:[^"\\]|\\.)* (?:[^"\\]|\\.)*)"')
QUERY = re.compile(r"\b(SELECT|INSERT|CREATE|UPDATE|DELETE)\b")
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")
QUOTED = re.compile(r"`[^`]*`")


def paragraphs_of_document(lines):
    """Yields the first line's number and the text of each paragraph, list item and cell of a Markdown file."""
    start, words, is_code = 0, [], False
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("```"):
            is_code = not is_code
        ends = is_code or not line.strip() or line.startswith(("```", "    ", "#", "|")) or ITEM.match(line)
        if ends and words:
            yield start, " ".join(words)
            words = []
        if is_code or line.startswith(("```", "    ", "#")):
            continue
        if line.startswith("|"):
            yield from ((number, cell) for cell in line.strip("|").split("|"))
            continue
        if not words:
            start = number
        words.append(ITEM.sub("", line).strip())


def paragraphs_of_code(lines):
    """Yields the first line's number and the text of each comment and message."""
    start, words = 0, []
    for number, line in enumerate([*lines, ""], 1):
        comment = COMMENT.match(line)
        if words and not (comment and comment[1]):
            yield start, " ".join(words)
            words = []
        if comment:
            if not words:
                start = number
            words += [comment[1]] if comment[1] else []
            continue
        if beside := BESIDE_CODE.search(line):
            yield number, beside[1]
        yield from ((number, text) for text in MESSAGE.findall(line) if not QUERY.search(text))


def docstrings(text):
    for found in re.finditer(r'"""(.+?)"""', text, re.S):
        for paragraph in re.split(r"\n\s*\n", found[1]):
            yield text.count("\n", 0, found.start()) + 1, " ".join(paragraph.split())


def sentences(paragraph):
    plain = QUOTED.sub("X", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph)).replace("**", "")
    for sentence in re.split(r"(?<=[.;:?!])\s+(?=[A-Z\"'])", plain):
        sentence = sentence.strip(" -*|\"'")
        if len(sentence.split()) >= FEWEST_WORDS:
            yield sentence


def found_in(path, text):
    """Yields the line, the rule and the sentence of each finding."""
    lines = text.splitlines()
    paragraphs = list(paragraphs_of_document(lines) if path.endswith(".md") else paragraphs_of_code(lines))
    if path.endswith(".py"):
        paragraphs += docstrings(text)
    for number, paragraph in paragraphs:
        for sentence in sentences(paragraph):
            for name, rule in RULES.items():
                if rule.search(sentence):
                    yield number, name, sentence
                    break


def found_below(root):
    tracked = subprocess.run(["git", "ls-files"], cwd=root, text=True, capture_output=True).stdout.split()
    paths = tracked or [str(path.relative_to(root)) for path in root.rglob("*")]
    here = pathlib.Path(__file__).resolve().parent
    for path in sorted(paths):
        file = root / path
        if file.suffix not in SUFFIXES or "golden" in path or "/data/" in path or here in file.resolve().parents:
            continue
        if file.is_file():
            yield from ((path, *found) for found in found_in(path, file.read_text(errors="replace")))


def entry(path, sentence):
    return f"{path}: {sentence[:100].strip()}"


def main(root, *options):
    found = list(found_below(pathlib.Path(root)))
    if "--list" in options:
        for path, number, name, sentence in found:
            print(f"{path}:{number}: {name}: {sentence}")
        return 0
    read = {line for line in READ.read_text().splitlines() if line and not line.startswith("#")}
    new = [f"{path}:{number}: {name}: {sentence}" for path, number, name, sentence in found if entry(path, sentence) not in read]
    gone = sorted(read - {entry(path, sentence) for path, _, _, sentence in found})
    for line in new:
        print(line)
    for line in gone:
        print(f"read.txt: no longer found: {line}")
    if new:
        print("Read these aloud. Write what an engineer would say, or add 'path: sentence' to tests/texts/read.txt.")
    return 1 if new or gone else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

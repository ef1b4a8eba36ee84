#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds dead links of documents, and pages of docs/ that no table of contents lists. Run: links.py ROOT

A link is dead if its file, or the heading in it, does not exist. Links to the web are not checked."""
import pathlib
import re
import subprocess
import sys

from blocks import blocks

LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
DIRECTIVE = re.compile(r"^`{3,}\{(include|literalinclude|image|figure)\}\s+(\S+)")
TREE = re.compile(r"^`{3,}\{toctree\}.*?$(.*?)^`{3,}$", re.M | re.S)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*$")


def prose(text):
    """Yields the lines outside of code blocks, with their numbers."""
    for language, number, lines in blocks(text):
        if language is None:
            yield number + 1, lines[0]


def anchor_of(heading):
    """Returns the anchor of a heading, as GitHub and MyST make it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(text):
    return {anchor_of(found[1]) for _, line in prose(text) if (found := HEADING.match(line))}


def fault(root, page, target):
    """Returns what is wrong with a link on a page, or ""."""
    if re.match(r"[a-z][a-z+.-]*:", target):
        return ""
    file, _, anchor = target.partition("#")
    path = (page.parent / file).resolve() if file else page
    if not path.exists():
        return "there is no such file"
    if not path.is_relative_to(root):
        return "leads out of the repository"
    if anchor and path.suffix == ".md" and anchor not in anchors(path.read_text()):
        return "there is no such heading"
    return ""


def dead_links(root, page):
    """Yields a sentence for each dead link of a page."""
    text = page.read_text()
    lines = dict(prose(text))
    words = "\n".join(re.sub(r"`[^`]*`", "", lines.get(number, "")) for number in range(1, text.count("\n") + 2))
    targets = [(words.count("\n", 0, found.start(1)) + 1, found[1]) for found in LINK.finditer(words)]  # a label may span lines
    targets += [(number, found[2]) for number, line in enumerate(text.split("\n"), 1) if (found := DIRECTIVE.match(line))]
    for number, target in targets:
        if why := fault(root, page, target):
            yield f"{page.relative_to(root)}:{number}: {target}: {why}"


def listed(page):
    """Returns the pages in the tables of contents of a page."""
    entries = [line.strip() for tree in TREE.findall(page.read_text()) for line in tree.split("\n")]
    names = [re.sub(r".*<(.*)>$", r"\1", entry) for entry in entries if entry and not entry.startswith(":")]
    return {(page.parent / f"{name.removesuffix('.md')}.md").resolve() for name in names}


def outside_contents(docs):
    """Yields a sentence for each page that no table of contents lists, and for each entry that is not a page."""
    pages = {path.resolve() for path in docs.rglob("*.md")} - {(docs / "README.md").resolve()}
    entries = set().union(*(listed(page) for page in pages)) if pages else set()
    for page in sorted(pages - entries - {(docs / "index.md").resolve()}):
        yield f"docs/{page.relative_to(docs)}: no table of contents has it"
    for entry in sorted(entries - pages):
        yield f"docs: a table of contents has {entry}, which is not a page"


def main(root):
    root = pathlib.Path(root).resolve()
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=root, text=True, stdout=subprocess.PIPE).stdout.split()
    pages = [root / name for name in tracked] or sorted(root.glob("**/*.md"))
    wrong = [line for page in pages for line in dead_links(root, page)] + list(outside_contents(root / "docs"))
    for line in wrong:
        print(line)
    print(f"links of {len(pages)} documents; {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

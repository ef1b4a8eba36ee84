# SPDX-License-Identifier: Apache-2.0
"""Configures Sphinx, which `make docs` runs to build the pages. Needs no network."""
import itertools
import os
import pathlib
import re
import subprocess
import sys

DOCS = pathlib.Path(__file__).parent
ROOT = DOCS.parent

project = "ampprof"
author = "the ampprof authors"
copyright = "the ampprof authors, Apache-2.0"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
exclude_patterns = ["README.md", "examples"]
html_show_search_summary = False  # summaries are fetched, which a page opened as a file cannot do
html_theme = "furo"
html_title = "ampprof"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]
pygments_style = "default"
pygments_dark_style = "native"

# C++: Breathe reads the XML that docs/cpp_api.py generates from the public headers. scripts/docs passes its folder.
breathe_default_project = "ampprof"
breathe_default_members = ("members", "undoc-members")
breathe_show_include = False

# Python: autodoc imports the packages from their sources. torch and pytest are mocked.
sys.path[:0] = [str(ROOT / "profiler/python"), str(ROOT / "apex/python")]
autodoc_mock_imports = ["torch", "pytest", "apex._library"]
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
add_module_names = False

# Documents outside of docs/, each with the page that includes it.
INCLUDED = {"CHANGELOG.md": "project/changelog.md", "CONTRIBUTING.md": "project/contributing.md",
            "SECURITY.md": "project/security.md", "apex/README.md": "reference/apex.md"}
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s:]+)\)")


def version_of_tree():
    """Returns the output of `git describe`, or "" without git."""
    try:
        done = subprocess.run(["git", "describe", "--always"], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return ""
    return done.stdout.strip()


release = version_of_tree()


def lines_of(text):
    """Yields each line, and whether it is in a block of code."""
    fence = ""
    for line in text.split("\n"):
        begins = re.match(r"`{3,}(?!\{)", line)
        yield line, bool(fence or begins)
        if fence and line.startswith(fence):
            fence = ""
        elif begins and not fence:
            fence = begins[0]


def without_links_out(text, place, page):
    """Replaces links that leave docs/ by their text, since only pages of docs/ are published.

    `place` is the folder that links are relative to, `page` the folder of the page that shows the text."""
    def replaced(match):
        label, target = match[1], match[2]
        file, mark, anchor = target.partition("#")
        if not file:
            return match[0]
        path = (place / file).resolve()
        inside = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else file
        if inside in INCLUDED:
            path = DOCS / INCLUDED[inside]
        if path.is_relative_to(DOCS) and path.name != "README.md":
            return f"[{label}]({os.path.relpath(path, page)}{mark}{anchor})"
        return label if label.strip("`") in (inside, inside + "/") else f"{label} (`{inside}`)"

    parts = itertools.groupby(lines_of(text), key=lambda line: line[1])
    joined = ((is_code, "\n".join(line for line, _ in lines)) for is_code, lines in parts)
    return "\n".join(part if is_code else LINK.sub(replaced, part) for is_code, part in joined)


def on_source(app, docname, source):
    folder = (DOCS / docname).parent
    source[0] = without_links_out(source[0], folder, folder)


def on_include(app, relative_path, parent, content):
    included = (DOCS / relative_path).resolve()
    if included.suffix == ".md":
        content[0] = without_links_out(content[0], included.parent, (DOCS / app.env.docname).parent)


def as_restructured(lines):
    """Returns a docstring in reStructuredText. Ours use two parts of Markdown: code spans and indented code blocks."""
    made, was_code = [], False
    for number, line in enumerate(lines):
        is_code = line.startswith("    ") and (was_code or number == 0 or not lines[number - 1].strip())
        if is_code and not was_code:
            made += ["::", ""]
        if not is_code and line.strip():
            parts = re.split(r"(`[^`]*`)", line)
            line = "".join(f"`{part}`" if part.startswith("`") else re.sub(r"([*|_])", r"\\\1", part) for part in parts)
        made.append(line)
        was_code = is_code or (was_code and not line.strip())
    return made


def on_docstring(app, what, name, thing, options, lines):
    lines[:] = as_restructured(lines)


def setup(app):
    app.connect("autodoc-process-docstring", on_docstring)
    app.connect("source-read", on_source)
    app.connect("include-read", on_include)
    return {"parallel_read_safe": True}

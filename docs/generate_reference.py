#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes pages of the reference from the output of ampprof. Run: generate_reference.py PROGRAM [--check]

Writes whole pages (WHOLE), and in other pages the parts between two marks (PART). With --check, writes nothing, prints
the pages that differ, and exits with 1 if there are any."""
import json
import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent / "reference"
SAMPLES = pathlib.Path(__file__).parent.parent / "samples" / "samples.json"
ORIGIN = "% Written by docs/generate_reference.py. Do not edit.\n"
# Patterns of pages that are generated as a whole. Other pages that match are deleted, unless they have a generated part.
WHOLE = ("verbs/*.md", "views/*.md", "gpus.md", "recipes.md", "samples.md")
PART = re.compile(r"(?<=^% The next lines are written by docs/generate_reference\.py: )(\w+)\n(.*?)(?=^% End of these lines\.$)",
                  re.M | re.S)


def printed(program, *arguments):
    """Returns the program's output. AMPPROF variables of the caller have no effect on it."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("AMPPROF")}
    done = subprocess.run([program, *arguments], text=True, stdout=subprocess.PIPE, check=True,
                          env=kept | {"COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"})
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").split("\n"))


def escaped(text):
    """Returns text escaped for a cell of a Markdown table. Puts flags into code spans."""
    parts = str(text).split("`")
    parts[::2] = [re.sub(r"(?<![\w-])--[a-z][a-z-]*", r"`\g<0>`", re.sub(r"([\\<*\[\]])", r"\\\1", part)) for part in parts[::2]]
    return "`".join(parts).replace("|", "\\|")


def code(text):
    return f"`{text}`" if text else ""


def table(titles, rows):
    """Returns a Markdown table. `titles` and `rows` hold Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" if cells != ["---"] * len(titles) else "|---" * len(titles) + "|"
                     for cells in lines) + "\n"


def toctree(names):
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def verbs(program):
    """Returns pairs of a verb and its summary from `ampprof --help`."""
    return re.findall(r"^  ([a-z]+)  +(\S.*)$", printed(program, "--help"), re.M)


def columns_table(columns):
    rows = [[code(column["key"]) or "(tables only)", escaped(column["title"]), escaped(column["unit"]), escaped(column["about"])]
            for column in columns]
    return table(["key", "title in tables", "unit", "what it is"], rows)


def verb_page(program, verb, rows):
    """Returns the page of a verb. `rows` describes the rows that verbs print."""
    printed_rows = "".join(f"\n## Columns: one row per {each['row']}\n\n{columns_table(each['columns'])}"
                           for each in rows if each["verb"] == verb)
    return f"{ORIGIN}\n# ampprof {verb}\n\n```text\n{printed(program, verb, '--help')}\n```\n{printed_rows}"


def verb_pages(program, described):
    listed = verbs(program)
    rows = [[f"[`{verb}`]({verb}.md)", about] for verb, about in listed]
    index = (f"{ORIGIN}\n# Verbs\n\nThese are the texts of `ampprof VERB --help`.\n\n{table(['verb', 'what it does'], rows)}\n"
             f"{toctree(verb for verb, _ in listed)}")
    return {"verbs/index.md": index} | {f"verbs/{verb}.md": verb_page(program, verb, described) for verb, _ in listed}


def view_page(view):
    about = view["about"][0].upper() + view["about"][1:] + "."
    notes = escaped(view["notes"]) + "\n\n" if view["notes"] else ""
    flags = [flag for flag, is_taken in (("`--group-by`", view["grouping"]), ("`--steps`", view["steps"])) if is_taken]
    takes = f"Takes {' and '.join(flags)}.\n\n" if flags else ""
    return (f"{ORIGIN}\n# {view['name']}\n\n{about}\n\n```text\nampprof show REPORT {view['name']}\n```\n\n{notes}{takes}"
            f"{columns_table(view['columns'])}")


def lines_of_views(views):
    rows = [[f"[`{view['name']}`]({view['name']}.md)", escaped(view["about"])] for view in views]
    return f"{table(['view', 'what it shows'], rows)}\n{toctree(view['name'] for view in views)}"


def lines_of_tables(tables):
    text = table(["table", "one row per"], [[f"[`{each['name']}`](#{each['name']})", escaped(each["row"])] for each in tables])
    for each in tables:
        rows = [[code(column["name"]), column["type"] + ("" if column["nullable"] else " NOT NULL"), escaped(column["unit"]),
                 escaped(column["about"])] for column in each["columns"]]
        text += f"\n### {each['name']}\n\n{table(['column', 'type', 'unit', 'what it is'], rows)}"
    return text


def gpus_page(gpus):
    rows = [[escaped(gpu["name"]), gpu["compute_capability"], str(gpu["multiprocessors"]), "yes" if gpu["tensor_cores"] else "no"]
            for gpu in gpus]
    return (f"{ORIGIN}\n# GPUs\n\n`--target-gpu` takes these models, and a compute capability such as `sm_90`. The number of "
            f"multiprocessors is that of the desktop or server model.\n\n"
            f"{table(['model', 'compute capability', 'multiprocessors', 'Tensor Cores'], rows)}")


def recipes_page(recipes):
    rows = []
    for recipe in recipes:
        gpu = f"sm_{recipe['least_sm']}" if recipe["least_sm"] else ""
        rows.append([code(recipe["name"]), escaped(recipe["about"]), code(gpu)])
        rows += [[code(f"{recipe['name']},{one['name']}"), escaped(one["about"]), ""] for one in recipe["switches"]]
    return (f"{ORIGIN}\n# Recipes\n\n`--what-if`, `--screen` and `--recipe` take these recipes. [Recipes](../concepts/recipes.md) "
            f"explains them.\n\n{table(['recipe', 'what it is', 'first GPU'], rows)}")


def samples_page():
    samples = json.loads(SAMPLES.read_text())
    rows = [[code("sample:" + sample["name"]), escaped(sample["about"]), str(sample["steps"])] for sample in samples]
    return (f"{ORIGIN}\n# Samples\n\n`ampprof run` takes these training programs, which come with ampprof. `ampprof samples` lists "
            f"those of your build.\n\n{table(['sample', 'what it trains', 'steps'], rows)}")


def variables_of(variables, read_by):
    rows = [[code(each["name"]), escaped(each["about"]), escaped(each["default"])] for each in variables if each["read_by"] == read_by]
    return table(["variable", "effect", "default"], rows)


def parts(reference):
    """Returns the text of each generated part of the pages that are otherwise written manually, by the name of the part."""
    metrics = [[code(each["name"]), each["arguments"], each["unit"], escaped(each["about"])] for each in reference["metrics"]]
    findings = [[code(each["kind"]), escaped(each["about"])] for each in reference["findings"]]
    codes = [[str(each["code"]), escaped(each["about"])] for each in reference["exit_codes"]]
    return {"views": lines_of_views(reference["views"]), "tables": lines_of_tables(reference["tables"]),
            "metrics": table(["metric", "arguments", "unit", "what it is"], metrics),
            "findings": table(["kind", "fault"], findings),
            "exit_codes": table(["code", "meaning"], codes)} | {
                f"variables_of_{reader}": variables_of(reference["variables"], reader) for reader in ("ampprof", "programs", "builds")}


def with_parts(text, wanted):
    """Returns a page with its generated parts replaced by those in `wanted`."""
    return PART.sub(lambda match: f"{match[1]}\n\n{wanted[match[1]]}\n", text)


def pages(program):
    """Returns the text of all pages that are generated or have generated parts, by their path in reference/."""
    reference = json.loads(printed(program, "reference"))
    wanted = verb_pages(program, reference["rows"]) | {f"views/{view['name']}.md": view_page(view) for view in reference["views"]}
    wanted |= {"gpus.md": gpus_page(reference["gpus"]), "recipes.md": recipes_page(reference["recipes"]), "samples.md": samples_page()}
    lines = parts(reference)
    for path in FOLDER.rglob("*.md"):
        name = str(path.relative_to(FOLDER))
        if name not in wanted and PART.search(path.read_text()):
            wanted[name] = with_parts(path.read_text(), lines)
    return wanted


def differences(wanted):
    """Returns the names of pages that differ from `wanted`, are missing, or should not exist."""
    whole = {str(path.relative_to(FOLDER)) for pattern in WHOLE for path in FOLDER.glob(pattern)}
    there = {name: (FOLDER / name).read_text() for name in whole | wanted.keys() if (FOLDER / name).exists()}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main(program, check=False):
    wanted = pages(program)
    different = differences(wanted)
    if check:
        for name in different:
            print(f"docs/reference/{name} is not what {program} says; write it anew: docs/generate_reference.py {program}")
        return 1 if different else 0
    for name in different:
        if name in wanted:
            (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
            (FOLDER / name).write_text(wanted[name])
        else:
            (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], check="--check" in sys.argv[2:]))

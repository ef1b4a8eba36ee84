#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Doxygen on the public headers, and checks that reference/cpp/ has every name that they declare.

Run: cpp_api.py FOLDER. Writes the XML that Breathe reads to FOLDER/xml. Exits with 1 and prints the faults: warnings of
Doxygen, names at namespace scope without a doc comment, and names that are on no page."""
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
PROFILER_HEADERS = ["profiler/ampprof.h", "profiler/record.h"]
DIRECTIVE = re.compile(r"^```\{doxygen(?:class|struct|function|enum|typedef|variable|concept)\} ([\w:]+(?:<<|>>)?)", re.M)


def public_headers():
    """Returns the paths of the headers that programs may include, relative to the root of the repository."""
    listed = (ROOT / "amp_core/public_headers.cmake").read_text()
    return [f"amp_core/{name}" for name in re.findall(r"^  ([\w/]+\.h)", listed, re.M)] + PROFILER_HEADERS


def run_doxygen(folder):
    """Writes the XML. Returns the warnings of Doxygen."""
    shutil.rmtree(folder / "xml", ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    settings = (DOCS / "Doxyfile").read_text() + f'OUTPUT_DIRECTORY = "{folder}"\nINPUT = {" ".join(public_headers())}\n'
    done = subprocess.run(["doxygen", "-"], cwd=ROOT, input=settings, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return [line.removeprefix(f"{ROOT}/") for line in done.stdout.splitlines() if line.strip()]


def prune(xml):
    """Removes deleted members, destructors, defaulted operators and inherited constructors, which need no reference."""
    for path in xml.glob("*amp*.xml"):
        tree = ElementTree.parse(path)
        name = (tree.getroot().findtext("compounddef/compoundname") or "").rpartition("::")[2]
        for section in tree.getroot().iter("sectiondef"):
            for member in section.findall("memberdef"):
                called, rest = member.findtext("name"), member.findtext("argsstring") or ""
                is_inherited = called == "FusedOptimizerOf" != name
                if is_inherited or rest.endswith("=delete") or called.startswith("~") or called.startswith("operator") and "=default" in rest:
                    section.remove(member)
        for section in [each for each in tree.getroot().iter("sectiondef") if each.find("memberdef") is None]:
            tree.getroot().find("compounddef").remove(section)
        tree.write(path, encoding="utf-8", xml_declaration=True)


def has_comment(element):
    parts = (element.find("briefdescription"), element.find("detaileddescription"))
    return any("".join(part.itertext()).strip() for part in parts if part is not None)


def is_ours(name):
    return name.startswith(("amp::", "ampprof::"))


def declared(xml):
    """Yields each name at namespace scope with a bool: whether it has a doc comment."""
    for compound in ElementTree.parse(xml / "index.xml").getroot():
        kind, name = compound.get("kind"), compound.findtext("name")
        if kind not in ("class", "struct", "concept", "namespace") or not is_ours(name + "::"):
            continue
        definition = ElementTree.parse(xml / f"{compound.get('refid')}.xml").getroot().find("compounddef")
        if kind == "namespace":
            for member in definition.iter("memberdef"):
                yield f"{name}::{member.findtext('name')}", has_comment(member)
        else:
            yield name, has_comment(definition)


def on_pages(folder):
    """Returns the names that directives of the pages document."""
    return {name for page in folder.glob("*.md") for name in DIRECTIVE.findall(page.read_text())}


def faults(xml, pages):
    """Returns a sentence for each name that has no doc comment or is on no page. The page of a class shows its members."""
    listed = list(declared(xml))
    shown = on_pages(pages)
    classes = {name for name, _ in listed}
    found = [f"{name} has no doc comment" for name, is_documented in listed if not is_documented]
    for name in dict.fromkeys(name for name, _ in listed):
        if name not in shown and name.rpartition("::")[0] not in classes:
            found.append(f"{name} is on no page of docs/reference/cpp/")
    return found


def main(folder):
    folder = pathlib.Path(folder).resolve()
    found = run_doxygen(folder) or faults(folder / "xml", DOCS / "reference/cpp")
    prune(folder / "xml")
    for fault in found:
        print(f"docs: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

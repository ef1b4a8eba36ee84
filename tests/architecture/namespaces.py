# SPDX-License-Identifier: Apache-2.0
"""Names namespaces that differ from that of their folder. Forward declarations of other folders' classes are allowed.
Run: namespaces.py ROOT"""
import re
import sys

from sources import code, headers, report

# Folders with a namespace that their subfolders share. None: each subfolder has a namespace of its own.
LIBRARIES = {"reports": None, "precision": None, "precision/formats": None, "precision/replay": None, "amp_core": "amp",
             "reports/records": "ampprof", "precision/formats/types": "ampprof::error", "precision/recipes": "amp::recipes",
             "analysis/search": "ampprof::search", "profiler/preload": "ampprof::preload"}
PUBLIC = ("profiler/ampprof.h", "profiler/record.h")  # included by programs
OPENED = re.compile(r"^(?:inline )?namespace ((?:ampprof|amp)\b[\w:]*) \{$(.*?)^\}", re.M | re.S)
FORWARD = re.compile(r"(?:template <[^>]*>\s*)?(?:class|struct|enum class) \w+(?: : [\w:]+)?;")


def namespace_of(folder):
    """Returns the namespace of a folder: ampprof::store for reports/store, ampprof::gui for gui and for gui/pages."""
    parts = folder.parts
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if LIBRARIES.get(name):
            return LIBRARIES[name]
        if length == 1 or LIBRARIES.get("/".join(parts[:length - 1]), "") is None:
            return "ampprof::" + parts[length - 1]
    return ""


def strangers(root):
    """Yields each wrong namespace: path, namespace, and the expected one."""
    for path, text in headers(root):
        if path.parts[0] == "samples" or str(path) in PUBLIC:
            continue
        expected = namespace_of(path.parent)
        for name, body in OPENED.findall(code(text)):
            if name != expected and not name.startswith(expected + "::") and FORWARD.sub("", body).strip():
                yield f"{path}: {name}, not {expected}"


report("namespaces that are not their folder's", list(strangers(sys.argv[1])))

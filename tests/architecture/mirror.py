# SPDX-License-Identifier: Apache-2.0
"""Names tests in a wrong folder: x_test.cpp has to be in tests/a/b if only a/b contains x.
Run: mirror.py ROOT"""
import pathlib
import sys

from sources import FOLDERS, report


def folders_of_sources(root, top):
    """Returns the folders that hold <name>.h or <name>.cpp, for each name below a top folder."""
    folders = {}
    for path in pathlib.Path(root, top).rglob("*"):
        if path.suffix in (".h", ".cpp"):
            folders.setdefault(path.stem, set()).add(path.parent.relative_to(root))
    return folders


def strays(root):
    """Yields each test in a wrong folder, and the right one."""
    tests = pathlib.Path(root, "tests")
    found = sorted(path for top in FOLDERS for path in (tests / top).rglob("*_test.cpp"))
    if not found:
        sys.exit(f"no tests below {tests}: the check would see nothing.")
    sources = {top: folders_of_sources(root, top) for top in FOLDERS}
    for path in found:
        folder = path.parent.relative_to(tests)
        homes = sources[folder.parts[0]].get(path.name.removesuffix("_test.cpp"), set())
        if len(homes) == 1 and folder not in homes:
            yield f"{path.relative_to(root)}: its source lies in {homes.pop()}/"
        elif not pathlib.Path(root, folder).is_dir():
            yield f"{path.relative_to(root)}: there is no folder {folder}/"


report("tests that lie elsewhere than their sources", list(strays(sys.argv[1])))

# SPDX-License-Identifier: Apache-2.0
"""Runs one phase: phase.py NAME FOLDER SECONDS. gpu-check starts this process, and stops it after SECONDS. The exit
code is the number of failed checks."""
import importlib
import pathlib
import sys
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path[0] = str(HERE.parent)

from gpu_check import processes  # noqa: E402
from gpu_check.pack import Pack  # noqa: E402
from gpu_check.verdicts import MOST, Verdicts  # noqa: E402


def main(name, folder, seconds):
    verdicts = Verdicts(float(seconds))
    processes.end_all_at_sigterm(lambda: min(verdicts.failed, MOST))
    try:
        importlib.import_module(f"gpu_check.{name}").check(Pack(HERE.parent), verdicts, pathlib.Path(folder).resolve())
    except Exception as error:  # counts as one failed check, in addition to the verdicts so far
        traceback.print_exc()
        verdicts.check(False, f"the phase failed with an exception: {error!r}")
    if verdicts.given == 0:
        verdicts.check(False, "the phase made at least one check")
    print(f"\n{verdicts.failed} of {verdicts.given} checks of {name} failed")
    return min(verdicts.failed, MOST)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

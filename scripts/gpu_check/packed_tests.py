# SPDX-License-Identifier: Apache-2.0
"""Runs the tests in tests.txt (one PROGRAM:FILE per line), which use the GPU."""
import pathlib
import re

from gpu_check import processes

WANT = re.compile(r"no GPU|no CUDA|without a GPU")
SKIPPED = re.compile(r": Skipped\n(.*)")


def listed():
    lines = (pathlib.Path(__file__).parent / "tests.txt").read_text().split()
    return [line.split(":") for line in lines]


def skips_for_want_of_cuda(out):
    return [reason for reason in SKIPPED.findall(out) if WANT.search(reason)]


def run(pack, program, file, *arguments, before=(), timeout=200):
    command = [*before, pack.program(program), f"--file=/{file}_test.cpp", "--gtest_brief=1", *arguments]
    return processes.run(command, {"OMP_NUM_THREADS": "1"}, timeout=timeout)


def check(verdicts, name, found):
    """Adds a verdict on a test: it passes if all its cases passed and none was skipped for lack of a GPU."""
    skips = skips_for_want_of_cuda(found.out)
    others = len(SKIPPED.findall(found.out)) - len(skips)
    if found.code != 0:
        verdicts.say("\n".join((found.out + found.err).splitlines()[-30:]))
    note = f", {len(skips)} cases found no GPU" if skips else f", {others} skipped" if others else ""
    verdicts.check(found.code == 0 and not skips, f"{name}: exit code {found.code}{note}, {found.seconds:.0f} s")

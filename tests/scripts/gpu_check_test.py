# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/gpu-check without a GPU: its output and exit codes, its helpers, and a phase on the stand-in for CUDA.
"""
import contextlib
import importlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))

from gpu_check import activity_dump, packed_tests, processes  # noqa: E402
from gpu_check.pack import Pack  # noqa: E402
from gpu_check.verdicts import Verdicts, table  # noqa: E402

PHASES = ["smoke", "unchanged", "truth", "cost", "hazards", "probe"]


def gpu_check(folder, *arguments, script=SCRIPTS / "gpu-check", **variables):
    environment = {**os.environ, "PATH": str(folder), **variables}
    return subprocess.run([sys.executable, script, "--out", folder / "results", *arguments], env=environment,
                          capture_output=True, text=True)


def add_driver(folder, answer="exit 0"):
    (folder / "nvidia-smi").write_text(f"#!/bin/sh\necho Stand-in, 0\n{answer}\n")
    (folder / "nvidia-smi").chmod(0o755)


def judged(*steps):
    """Runs the steps. Returns what they print, and the number of failed verdicts."""
    verdicts, out = Verdicts(), io.StringIO()
    with contextlib.redirect_stdout(out):
        for step in steps:
            step(verdicts)
    return out.getvalue(), verdicts.failed


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Refusals(InFolder):
    def assert_refused(self, found, *words):
        self.assertEqual(found.returncode, 2, found.stderr)
        self.assertEqual(found.stdout, "")
        for word in words:
            self.assertIn(word, found.stderr)

    def test_no_driver_is_two(self):
        self.assert_refused(gpu_check(self.folder), "this machine has no NVIDIA driver")

    def test_a_driver_that_does_not_answer_is_none(self):
        add_driver(self.folder, "exit 9")
        self.assert_refused(gpu_check(self.folder), "this machine has no NVIDIA driver")

    def test_an_unknown_phase_is_two_and_says_which_there_are(self):
        add_driver(self.folder)
        self.assert_refused(gpu_check(self.folder, "--only", "smok"), "no phase smok", ", ".join(PHASES))

    def test_no_libtorch_is_two(self):
        add_driver(self.folder)
        self.assert_refused(gpu_check(self.folder, LIBTORCH="/nonexistent"), "set LIBTORCH")

    def test_no_build_is_two(self):
        add_driver(self.folder)
        self.assert_refused(gpu_check(self.folder, AMPPROF_BUILD="/nonexistent"), "build everything")


class OnTheStandIn(InFolder):
    def test_a_phase_that_takes_too_long_ends_as_failed(self):
        add_driver(self.folder)
        cudart = pathlib.Path(os.environ["FAKE_CUDART"])
        path = f"{self.folder}:{os.environ['PATH']}"
        begun = time.monotonic()
        found = gpu_check(self.folder, "--only", "smoke", "--seconds", "2", PATH=path, LD_PRELOAD=str(cudart),
                          LD_LIBRARY_PATH=str(cudart.parent))
        self.assertLess(time.monotonic() - begun, 60, "it was ended")
        self.assertIn("ok      LibTorch: fine", found.stdout)
        self.assertIn("FAILED  the phase smoke ended by itself within 2 s", found.stdout)
        self.assertEqual(found.returncode, found.stdout.count("\nFAILED  "))
        self.assertIn((self.folder / "results" / "smoke.txt").read_text(), found.stdout)


class ThePack(InFolder):
    def test_stands_alone_and_is_small(self):
        pack = self.folder / "pack"
        packed = subprocess.run([SCRIPTS / "gpu-pack", os.environ["AMPPROF_BUILD"], pack], capture_output=True, text=True)
        self.assertEqual(packed.returncode, 0, packed.stdout + packed.stderr)
        self.assertRegex(packed.stdout, r", \d+ MiB")
        found = gpu_check(self.folder, script=pack / "gpu-check", AMPPROF_BUILD="/nonexistent")
        self.assertEqual(found.returncode, 2)
        self.assertIn("this machine has no NVIDIA driver", found.stderr)
        there = Pack(pack)
        for program, _ in packed_tests.listed():
            self.assertTrue(there.program(program).exists(), program)
        for library in (pack / "lib" / "carried").iterdir():
            self.assertNotRegex(library.name, r"^lib(c|m|stdc\+\+|gcc_s|util|pthread)\.so")
        for file in [*(pack / "bin").iterdir(), *(pack / "lib").glob("*.so")]:
            runpath = subprocess.run(["readelf", "-dW", file], capture_output=True, text=True).stdout
            self.assertNotRegex(runpath, r"RUNPATH.*[\[:]/", file.name)
        for script in ("cuda_train.py", "cuda_hazards.py", "late_devices.py", "endless.py", "attention.py", "references.py"):
            self.assertTrue(there.script(script).is_relative_to(pack), script)


class TheCalls(InFolder):
    """Tests scripts/gpu_contact: the text of a call has a limited number of characters, and at most eight files come
    back."""

    CALLS = {"first.sh": ["dumps.log", "env.txt", "reports.tgz", "smoke.log", "truth.log", "unchanged.log"],
             "second.sh": ["bench.log", "hazards.log", "reports.tgz", "sanitizer.log"]}

    def test_each_fits(self):
        for name in self.CALLS:
            self.assertLess(len((SCRIPTS / "gpu_contact" / name).read_text()), 2000, name)

    def test_each_comes_to_its_end_with_all_its_files(self):
        add_driver(self.folder)
        subprocess.run([SCRIPTS / "gpu-pack", os.environ["AMPPROF_BUILD"], self.folder / "build" / "gpu-check"], check=True,
                       capture_output=True)
        cudart = pathlib.Path(os.environ["FAKE_CUDART"])
        python = pathlib.Path(os.environ["LIBTORCH"], "../../../../bin").resolve()
        for name, files in self.CALLS.items():
            out = self.folder / f"out_of_{name}"
            out.mkdir()
            environment = {**os.environ, "OUT": str(out), "SHARE": "500", "TMPDIR": str(self.folder), "LD_PRELOAD": str(cudart),
                           "FAKE_CUDA_TWINS": "none", "LD_LIBRARY_PATH": str(cudart.parent),
                           "PATH": f"{self.folder}:{python}:{os.environ['PATH']}"}
            found = subprocess.run(["bash", SCRIPTS / "gpu_contact" / name], cwd=self.folder, env=environment,
                                   capture_output=True, text=True)
            self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
            self.assertEqual(sorted(path.name for path in out.iterdir()), files)
            self.assertIn("== truth, " if name == "first.sh" else "== hazards, ", found.stdout)


class Helpers(unittest.TestCase):
    def test_each_phase_can_be_run(self):
        for name in PHASES:
            self.assertTrue(callable(importlib.import_module(f"gpu_check.{name}").check), name)

    def test_each_listed_test_is_in_the_tree(self):
        for program, file in packed_tests.listed():
            self.assertTrue(list((ROOT / "tests").glob(f"*/{file}_test.cpp")), f"{program}:{file}")

    def test_what_is_not_known_reaches_no_goal(self):
        out, failed = judged(lambda v: v.at_most(1, 1, "one"), lambda v: v.at_most(None, 1, "none"),
                             lambda v: v.at_least(0.5, 1, "half"), lambda v: v.at_least(float("nan"), 1, "NaN"))
        self.assertEqual(failed, 3)
        self.assertEqual([line.split()[0] for line in out.splitlines()], ["ok", "FAILED", "FAILED", "FAILED"])

    def test_a_skip_for_want_of_a_gpu_is_a_failure_and_others_are_not(self):
        def outcome(reason):
            return processes.Outcome(0, f"a_test.cpp:61: Skipped\n{reason}\n", "", 1.0)

        _, failed = judged(lambda v: packed_tests.check(v, "a", outcome("no GPU on this machine")))
        self.assertEqual(failed, 1)
        _, failed = judged(lambda v: packed_tests.check(v, "a", outcome("this machine has a GPU")))
        self.assertEqual(failed, 0)

    def test_columns_are_as_wide_as_they_must_be(self):
        self.assertEqual(table(["op", "ms"], [["linear", 1.25], ["mm", None]]), "op        ms\nlinear  1.25\nmm         -\n")

    def test_what_a_command_started_ends_with_it(self):
        found = processes.run(["sh", "-c", "sleep 60 & echo $!; wait"], timeout=0.5)
        self.assertTrue(found.timed_out)
        time.sleep(0.2)
        state = pathlib.Path(f"/proc/{found.out.strip()}/stat")
        self.assertTrue(not state.exists() or ") Z " in state.read_text())

    def test_records_of_cupti_are_counted(self):
        plain = (ROOT / "tests" / "fuzz" / "seeds" / "activities" / "plain").read_bytes()
        self.assertEqual(activity_dump.count_records(plain)[activity_dump.KERNEL], 2)
        for damaged in (b"", plain[1:], plain[:-1], plain + b"BUFF"):
            with self.assertRaises(ValueError):
                activity_dump.count_records(damaged)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Records the programs of programs/ with ampprof: levels, events, scales, casts, masters, policies, advice.
Usage: recorded_test.py AMPPROF"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

AMPPROF = sys.argv.pop(1)
FOLDER = pathlib.Path(__file__).resolve().parent / "programs"


def ampprof(*words):
    done = subprocess.run([AMPPROF, *map(str, words)], capture_output=True, text=True, timeout=200)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.report = pathlib.Path(cls.folder.name, "report.ampprof")
        cls.printed = ampprof("run", "-o", cls.report, "--levels", "O0,O1,O2,O3", "--", sys.executable, "-B", FOLDER / "checkpoint.py")

    def rows(self, view):
        return json.loads(ampprof("show", self.report, view, "--format", "json"))

    def test_each_level_is_a_run_and_beats_that_of_the_script(self):
        runs = self.rows("runs")
        self.assertEqual([run["level"] for run in runs], ["O0", "O1", "O2", "O3"])
        self.assertEqual([run["steps"] for run in runs], [12] * 4)
        for level in ("O0", "O1", "O2", "O3"):
            self.assertIn(f"Selected optimization level {level}:", self.printed)

    def test_the_overflow_is_an_event_with_the_line_of_the_script(self):
        events = self.rows("events")
        self.assertEqual([(event["level"], event["step"]) for event in events], [("O1", 2), ("O2", 2)])
        for event in events:
            self.assertEqual((event["scale_before"], event["scale_after"]), (65536.0, 32768.0))
            self.assertTrue(event["first_op_source"].endswith("checkpoint.py:24"), event)

    def test_casts_are_those_of_the_script_s_lines(self):
        casts = self.rows("casts")
        self.assertEqual({cast["level"] for cast in casts}, {"O1", "O2", "O3"})
        for cast in casts:
            self.assertIn("checkpoint.py", cast["source"])

    def test_masters_are_updated_under_the_names_of_their_parameters(self):
        types = {(row["level"], row["dtype"]) for row in self.rows("optimizer") if row["parameter"] == "0.weight"}
        self.assertEqual(types, {("O0", "f32"), ("O1", "f32"), ("O2", "f32"), ("O2", "f16"), ("O3", "f16")})
        for finding in self.rows("findings"):
            self.assertFalse(finding["kind"] == "lost_updates" and 3 in finding["runs"], finding)

    def test_a_script_that_only_lies_beside_one_of_apex_is_told_so(self):
        plain = pathlib.Path(self.folder.name, "plain.py")
        plain.write_text("import torch\nnet = torch.nn.Linear(2, 2)\nnet(torch.ones(1, 2)).sum().backward()\n")
        plain.with_name("legacy.py").write_text("from apex import amp\n")
        report = pathlib.Path(self.folder.name, "plain.ampprof")
        ampprof("run", "-o", report, "--levels", "O1", "--", sys.executable, "-B", plain)
        causes = [row["cause"] for row in json.loads(ampprof("show", report, "missing", "--format", "json"))]
        self.assertTrue(any("never called initialize()" in cause for cause in causes), causes)

    def test_a_policy_for_a_module_has_the_names_of_the_report(self):
        policy = pathlib.Path(self.folder.name, "module.amp")
        policy.write_text("linear fp32 in 3\n")
        report = pathlib.Path(self.folder.name, "module.ampprof")
        ampprof("run", "-o", report, "--levels", "O1", "--policy", policy, "--", sys.executable, "-B", FOLDER / "checkpoint.py")
        types = {row["call_site"]: row["dtype_out"] for row in json.loads(ampprof("show", report, "ops", "--format", "json"))}
        self.assertEqual((types["0/linear"], types["3/linear"]), ("f16", "f32"))

    def test_a_policy_holds_and_registrations_that_are_advised_run(self):
        policy = pathlib.Path(self.folder.name, "fp32.amp")
        policy.write_text("linear fp32\n")
        report = pathlib.Path(self.folder.name, "policy.ampprof")
        ampprof("run", "-o", report, "--levels", "O1", "--policy", policy, "--impact", "--", sys.executable, "-B", FOLDER / "gan.py")
        code = ampprof("advise", report, "--code", "apex", "--tolerance", "1e-9")
        self.assertIn("amp.register_float_function(", code)
        done = subprocess.run([sys.executable, "-B", "-c", "import torch\nfrom apex import amp\n" + code
                               + "\nmodel = torch.nn.Linear(2, 2)\namp.initialize(model, opt_level='O1')"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, code + done.stderr)


if __name__ == "__main__":
    unittest.main()

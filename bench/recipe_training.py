#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the value of advice for a recipe: trains a program in BF16, with all matmuls in the recipe, with the policy
of `ampprof advise`, and with that of `ampprof search`.

usage: recipe_training.py AMPPROF [--recipe nvfp4] [--seeds 5] [--search 40m] [--tolerance 1%] [-- PROGRAM...]

PROGRAM is outlier.py by default. It must print "held out LOSS" last, and take its seed from ampprof. The advice comes
from one recorded training (every tenth step), for a B200, with free copies of operands. Prints the mean and standard
error, over seeds, of the difference from the BF16 loss with the same seed, and the time of a step's matmuls that the
advice predicts. With --search TIME, `ampprof search --recipe` has that long to find a minimal set to keep in BF16."""

import argparse
import fnmatch
import json
import pathlib
import re
import statistics
import sys
import tempfile

from recorder import Recorder

HELD_OUT = r"held out ([0-9.]+)"
ON_GPU = ["--target-gpu", "B200", "--fused-copies"]
MATMULS = {"fprop", "dgrad", "wgrad"}


class Trainings(Recorder):
    """Runs the program and ampprof in a folder, with one recipe."""

    def __init__(self, ampprof, program, recipe, folder):
        super().__init__(ampprof, folder)
        self.program, self.recipe = program, recipe

    def record(self):
        self.call("run", "-o", "recorded.ampprof", "--every", "10", "--seed", "1", "--what-if", self.recipe, "--",
                  *self.program)

    def advise(self, name, *options):
        """Writes the advised policy to `name`.amp. Returns {(module, matmul): (us in its advised format, us in
        BF16)}."""
        self.call("advise", "recorded.ampprof", *ON_GPU, *options, "-o", f"{name}.amp", "--force")
        advice = json.loads(self.call("advise", "recorded.ampprof", *ON_GPU, *options, "--format", "json"))
        return {(module, of["matmul"]): (of["matmul_us"] / len(of["modules"]), of["bf16_us"] / len(of["modules"]))
                for of in advice["matmuls"] for module in of["modules"]}

    def search(self, budget, tolerance):
        self.call("search", "-o", "searched.ampprof", "--recipe", self.recipe, "--type", "bf16", "--start",
                  "recorded.ampprof", "--metric", HELD_OUT, "--tolerance", tolerance, "--budget", budget, "--output-policy",
                  "searched.amp", "--", *self.program)

    def loss(self, policy, seed):
        flags = ["--policy", f"{policy}.amp"] if policy else []
        printed = self.run("run.ampprof", ["--reference", "off", "--levels", "O1", "--type", "bf16", "--seed", str(seed),
                                           *flags], "--", *self.program)
        return float(re.findall(HELD_OUT, printed)[-1])


def formats_in(policy):
    """Returns the default recipe of a policy ("bf16" if it has none) and its rules: (pattern, matmuls, format)."""
    recipe, rules = "bf16", []
    for words in map(str.split, policy.splitlines()):
        if not words or words[0] in ("#", "low_type"):
            continue
        if words[0] == "recipe":
            recipe = words[1]
        else:
            rules.append((words[0], MATMULS & set(words) or MATMULS, words[-1]))
    return recipe, rules


def time_of(policy, times):
    """Returns the time of a step's matmuls under a policy, in microseconds."""
    recipe, rules = formats_in(policy)
    total = 0.0
    for (module, matmul), (in_recipe, in_bf16) in times.items():
        found = recipe
        for pattern, matmuls, named in rules:
            if matmul in matmuls and (fnmatch.fnmatch(module, pattern) or fnmatch.fnmatch(module, pattern + ".*")):
                found = named
        total += in_bf16 if found == "bf16" else in_recipe
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampprof")
    parser.add_argument("--recipe", default="nvfp4")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--search", metavar="TIME", help="look for the smallest set so long, too")
    parser.add_argument("--tolerance", default="1%", help="tolerance of the search")
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:at])
    program = words[at + 1:] or ["python", str(pathlib.Path(__file__).resolve().parent / "outlier.py")]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        trainings = Trainings(str(pathlib.Path(arguments.ampprof).resolve()), program, arguments.recipe, folder)
        trainings.record()
        trainings.advise("advised")
        times = trainings.advise("fastest", "--tolerance", "1e30", "--gradient-tolerance", "1")
        (folder / "all.amp").write_text(f"low_type bf16\nrecipe {arguments.recipe}\n")
        policies = {"all": f"all {arguments.recipe}", "advised": "as advised"}
        if arguments.search:
            trainings.search(arguments.search, arguments.tolerance)
            policies["searched"] = "as searched"
        plain = [trainings.loss("", seed) for seed in range(1, arguments.seeds + 1)]
        print(f"| matmuls | a step's, µs | held-out loss less that of BF16 ({statistics.fmean(plain):.4f}) |\n|---|---|---|")
        print(f"| BF16 | {time_of('', times):.3f} | |", flush=True)
        for policy, name in policies.items():
            changes = [trainings.loss(policy, seed) - loss for seed, loss in enumerate(plain, 1)]
            error = statistics.stdev(changes) / len(changes)**0.5
            time = time_of((folder / f"{policy}.amp").read_text(), times)
            print(f"| {name} | {time:.3f} | {statistics.fmean(changes):+.4f} ± {error:.4f} |", flush=True)
            print((folder / f"{policy}.amp").read_text(), file=sys.stderr)


if __name__ == "__main__":
    main()

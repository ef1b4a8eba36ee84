#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says how well E ranks the layers of a sample by what a reduced type does to the loss, and how sure that is.

usage: impact_ranking.py AMPPROF [SAMPLE...] [--types fp16,bf16] [--jobs 2]

The weights are those after some training, and stay. E of each layer comes from `ampprof run --what-if TYPE`, of single
steps and of four. The truth of a layer is the root mean square, over 48 batches that E has not seen, of the change of
the loss where that layer alone runs in the type (a policy at O1) and all else in FP32. Both losses are FP32 numbers, so
what their last bit is expected to make of a change is taken off; layers that do less than twice that are left out.
"""

import argparse
import concurrent.futures
import csv
import io
import json
import math
import pathlib
import statistics
import subprocess
import tempfile

TRAINED = 60  # steps before the weights are held
ESTIMATED = 12  # steps that E is taken from: in turn from each, and from each four
TRUE = 48  # batches of the truth
OPTIONS = {"resnet18": ["--batch-size", "16"]}
SAMPLES = ["transformer", "mnist_cnn", "resnet18", "char_lstm"]
FUNCTIONS = {"linear", "matmul", "addmm", "bmm", "baddbmm", "mm", "conv2d", "lstm"}  # that hold a model's products
ESTIMATES = """
SELECT module, op, step, sum(ifnull(activation_square, 0) + ifnull(weight_square, 0) + ifnull(output_square, 0)) AS square,
  sum(impact) AS change
FROM loss_impact JOIN substep ON substep.run = loss_impact.run AND substep.id = loss_impact.substep
JOIN call_site ON call_site.run = loss_impact.run AND call_site.id = loss_impact.call_site
WHERE loss_impact.source = 0 GROUP BY module, op, step"""
LOSSES = "SELECT step, value FROM loss JOIN substep ON substep.run = loss.run AND substep.id = loss.substep"


class Recorder:
    """Runs one sample in a folder of its own."""

    def __init__(self, ampprof, sample, type_, folder):
        self.ampprof, self.sample, self.type, self.folder = ampprof, sample, type_, folder

    def call(self, *words):
        done = subprocess.run([self.ampprof, *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))}\n{done.stderr}")
        return done.stdout

    def run(self, report, flags, *options):
        self.call("run", "--force", "-o", report, *flags, f"sample:{self.sample}", "--threads", "1", *options,
                  *OPTIONS.get(self.sample, []))

    def rows(self, report, query):
        return list(csv.DictReader(io.StringIO(self.call("sql", report, "--format", "csv", query))))

    def train(self):
        self.run("train.ampprof", ["--reference", "off"], "--opt-level", "O0", "--steps", str(TRAINED),
                 "--save-weights", "weights")

    def estimates(self):
        """E^2 and the signed change of each layer, step after step."""
        self.run("estimates.ampprof", ["--what-if", self.type, "--impact", "--no-inherited"], "--opt-level", "O0",
                 "--steps", str(ESTIMATED), "--hold-weights", "weights")
        layers = {}
        for row in self.rows("estimates.ampprof", ESTIMATES):
            function = row["op"].split(".")[0]
            if function in FUNCTIONS:
                steps = layers.setdefault((row["module"], function), {})
                steps[int(row["step"])] = (float(row["square"]), float(row["change"]))
        return layers

    def intervals(self, first):
        """ampprof's own intervals, from four steps."""
        report = f"intervals{first}.ampprof"
        self.run(report, ["--what-if", self.type, "--impact", "--no-inherited", "--steps", f"{first}:{first + 3}"],
                 "--opt-level", "O0", "--steps", str(first + 3), "--hold-weights", "weights")
        rows = json.loads(self.call("show", report, "impact", "--format", "json"))
        if isinstance(rows, dict):
            rows = rows["impact"]
        found = {}
        for row in rows:
            if row["estimate_low"] is not None and row["op"]:
                layer = (row["module"], row["op"].split(".")[0])
                found[layer] = None if layer in found else (row["estimate_low"], row["estimate_high"])
        return {layer: bounds for layer, bounds in found.items() if bounds}

    def losses(self, name, rules):
        (self.folder / f"{name}.amp").write_text("\n".join(rules) + "\n")
        last = ESTIMATED + TRUE
        self.run(f"{name}.ampprof", ["--reference", "off", "--policy", f"{name}.amp", "--type", self.type],
                 "--opt-level", "O1", "--steps", str(last), "--hold-weights", "weights")
        rows = self.rows(f"{name}.ampprof", LOSSES)
        (self.folder / f"{name}.ampprof").unlink()
        return [float(row["value"]) for row in rows if int(row["step"]) > ESTIMATED]


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    for place, index in enumerate(order):
        found[index] = float(place)
    return found


def spearman(a, b):
    if len(a) < 3:
        return math.nan
    return statistics.correlation(ranks(a), ranks(b))


def last_bit(loss):
    return 2.0 ** (math.frexp(loss)[1] - 24)


def true_size(changes, loss):
    """Without what rounding two losses to FP32 adds to each change: a step of its last bit squared, over 12, twice."""
    return math.sqrt(max(0.0, statistics.fmean(change**2 for change in changes) - last_bit(loss) ** 2 / 6))


def size_of(steps, taken, part):
    values = [steps[step][part] for step in taken if step in steps]
    values = values if part == 0 else [value**2 for value in values]
    return math.sqrt(statistics.fmean(values)) if values else math.nan


def mean_spearman(layers, truth, takes, part):
    return statistics.fmean(spearman([size_of(layers[layer], taken, part) for layer in truth], list(truth.values()))
                            for taken in takes)


def compare(ampprof, sample, type_, jobs):
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(ampprof, sample, type_, pathlib.Path(folder))
        recorder.train()
        layers = recorder.estimates()
        functions = sorted(FUNCTIONS)
        high = [f"{function} fp32" for function in functions]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            base = pool.submit(recorder.losses, "high", high)
            alone = {layer: pool.submit(recorder.losses, f"layer{i}",
                                        high + [f"{layer[1]} fp16" + (f" in {layer[0]}" if layer[0] else "")])
                     for i, layer in enumerate(layers)}
            intervals = list(pool.map(recorder.intervals, range(1, ESTIMATED, 4)))
        losses = base.result()
        changes = {layer: [a - b for a, b in zip(found.result(), losses)] for layer, found in alone.items()}
    loss = statistics.fmean(losses)
    noise = last_bit(loss) / math.sqrt(6)
    truth = {layer: true_size(each, loss) for layer, each in changes.items()}
    truth = {layer: size for layer, size in truth.items() if size > 2 * noise}
    if not truth:
        return print(f"| {sample} | {type_} | 0 of {len(layers)} | | | | | | | |", flush=True)
    halves = spearman([true_size(changes[layer][::2], loss) for layer in truth],
                      [true_size(changes[layer][1::2], loss) for layer in truth])
    ones = [[step] for step in range(1, ESTIMATED + 1)]
    fours = [range(first, first + 4) for first in range(1, ESTIMATED, 4)]
    sizes = [size_of(layers[layer], four, 0) / truth[layer] for layer in truth for four in fours]
    held = [low <= truth[layer] <= high for found in intervals for layer, (low, high) in found.items() if layer in truth]
    print(f"| {sample} | {type_} | {len(truth)} of {len(layers)} | {halves:.2f} "
          f"| {mean_spearman(layers, truth, ones, 0):.2f} | {mean_spearman(layers, truth, fours, 0):.2f} "
          f"| {mean_spearman(layers, truth, ones, 1):.2f} | {mean_spearman(layers, truth, fours, 1):.2f} "
          f"| {statistics.median(sizes):.2f} | {sum(held)} of {len(held)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampprof")
    parser.add_argument("samples", nargs="*", default=SAMPLES)
    parser.add_argument("--types", default="fp16,bf16")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    ampprof = str(pathlib.Path(arguments.ampprof).resolve())
    print("| sample | type | layers | halves of the truth | E, 1 step | E, 4 steps | signed, 1 step | signed, 4 steps "
          "| E / truth, median | truth in the 90 % interval |\n|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for sample in arguments.samples:
        for type_ in arguments.types.split(","):
            compare(ampprof, sample, type_, arguments.jobs)


if __name__ == "__main__":
    main()

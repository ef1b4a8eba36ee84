#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says how well E ranks the layers of a sample by what a reduced type does to the loss, and how sure that is.

usage: impact_ranking.py AMPPROF [SAMPLE...] [--types fp16,bf16] [--jobs 2] [--trained 300] [--layers]

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
import sys
import tempfile
import typing

ESTIMATED = 12  # steps that E is taken from: in turn from each, and from each four
FOURS = [range(first, first + 4) for first in range(1, ESTIMATED, 4)]
TRUE = 48  # batches of the truth
OPTIONS = {"resnet18": ["--batch-size", "16"]}
SAMPLES = ["transformer", "mnist_cnn", "resnet18", "char_lstm"]
FUNCTIONS = {"linear", "matmul", "addmm", "bmm", "baddbmm", "mm", "conv2d", "lstm"}  # that hold a model's products
BEHIND = {"gelu", "batch_norm", "tanh", "sigmoid"}  # take a product as it comes, and would round what they give
BIAS = "add_"  # linear()'s, in three dimensions: adds to the product where it lies, so in its type
ESTIMATES = """
SELECT module, op, step, sum(ifnull(activation_square, 0) + ifnull(weight_square, 0)) AS operands,
  sum(ifnull(output_square, 0)) AS output, sum(impact) AS change
FROM loss_impact JOIN substep ON substep.run = loss_impact.run AND substep.id = loss_impact.substep
JOIN call_site ON call_site.run = loss_impact.run AND call_site.id = loss_impact.call_site
WHERE loss_impact.source = 0 GROUP BY module, op, step"""
LOSSES = "SELECT step, value FROM loss JOIN substep ON substep.run = loss.run AND substep.id = loss.substep"


class Impact(typing.NamedTuple):
    """What a call's roundings do to the loss: squares of its operands' and its output's, and the signed change."""
    operands: float
    output: float
    change: float

    def with_bias(self, bias):
        """The error of what a bias gives has the rounding of the product in it, which is here already."""
        if bias is None:
            return self
        return Impact(self.operands + bias.operands, max(self.output, bias.output), self.change + bias.change)

    def square(self):
        return self.operands + self.output


class Recorder:
    """Runs one sample in a folder of its own."""

    def __init__(self, ampprof, sample, type_, trained, folder):
        self.ampprof, self.sample, self.type, self.trained, self.folder = ampprof, sample, type_, trained, folder

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
        self.run("train.ampprof", ["--reference", "off"], "--opt-level", "O0", "--steps", str(self.trained),
                 "--save-weights", "weights")

    def estimates(self):
        """E^2 and the signed change of each layer, step after step."""
        self.run("estimates.ampprof", ["--what-if", self.type, "--impact", "--no-inherited"], "--opt-level", "O0",
                 "--steps", str(ESTIMATED), "--hold-weights", "weights")
        products, biases = {}, {}
        for row in self.rows("estimates.ampprof", ESTIMATES):
            function = row["op"].split(".")[0]
            found = Impact(*(float(row[part]) for part in ("operands", "output", "change")))
            if function in FUNCTIONS:
                products.setdefault((row["module"], function), {})[int(row["step"])] = found
            elif function == BIAS:
                biases.setdefault(row["module"], {})[int(row["step"])] = found
        return {layer: {step: found.with_bias(biases.get(layer[0], {}).get(step)) for step, found in steps.items()}
                for layer, steps in products.items()}

    def intervals(self, first):
        """ampprof's own intervals, from four steps: their bounds over E."""
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
                bounds = row["estimate_low"] / row["estimate"], row["estimate_high"] / row["estimate"]
                found[layer] = None if layer in found else bounds
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


def size_of(steps, taken, square=Impact.square):
    values = [square(steps[step]) for step in taken if step in steps]
    return math.sqrt(statistics.fmean(values)) if values else math.nan


def signed_square(impact):
    return impact.change**2


class Measured:
    """What a sample's layers do to the loss, as E says and in truth."""

    def __init__(self, recorder, jobs):
        recorder.train()
        self.layers = recorder.estimates()
        high = [f"{function} fp32" for function in sorted(FUNCTIONS | BEHIND)]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            base = pool.submit(recorder.losses, "high", high)
            alone = {layer: pool.submit(recorder.losses, f"layer{i}",
                                        high + [f"{layer[1]} fp16" + (f" in {layer[0]}" if layer[0] else "")])
                     for i, layer in enumerate(self.layers)}
            self.intervals = list(pool.map(recorder.intervals, (taken[0] for taken in FOURS)))
        losses = base.result()
        self.changes = {layer: [a - b for a, b in zip(found.result(), losses)] for layer, found in alone.items()}
        self.loss = statistics.fmean(losses)
        noise = last_bit(self.loss) / math.sqrt(6)
        truth = {layer: true_size(each, self.loss) for layer, each in self.changes.items()}
        self.truth = {layer: size for layer, size in truth.items() if size > 2 * noise}

    def halves(self):
        return spearman(*([true_size(self.changes[layer][part::2], self.loss) for layer in self.truth]
                          for part in (0, 1)))

    def ranks_by(self, takes, square):
        return statistics.fmean(spearman([size_of(self.layers[layer], taken, square) for layer in self.truth],
                                         list(self.truth.values())) for taken in takes)

    def sizes(self, takes):
        return [size_of(self.layers[layer], taken) / size for layer, size in self.truth.items() for taken in takes]

    def bounds(self, layer):
        """Those of each four steps."""
        for taken, found in zip(FOURS, self.intervals):
            if layer in found:
                yield tuple(bound * size_of(self.layers[layer], taken) for bound in found[layer])

    def held(self):
        return [low <= size <= high for layer, size in self.truth.items() for low, high in self.bounds(layer)]

    def share_of_mean(self, layer):
        """Of the true size, what is the same in every batch: one draw of the rounding of weights that are held, and so
        no measure of how large such roundings are."""
        return abs(statistics.fmean(self.changes[layer])) / self.truth[layer]


def print_row(sample, type_, measured):
    ones = [[step] for step in range(1, ESTIMATED + 1)]
    start = f"| {sample} | {type_} | {len(measured.truth)} of {len(measured.layers)} "
    if not measured.truth:
        return print(start + "| | | | | | | |", flush=True)
    ranks = [measured.ranks_by(takes, square) for square in (Impact.square, signed_square) for takes in (ones, FOURS)]
    held = measured.held()
    print(start + f"| {measured.halves():.2f} " + "".join(f"| {rank:.2f} " for rank in ranks)
          + f"| {statistics.median(measured.sizes(FOURS)):.2f} | {sum(held)} of {len(held)} |", flush=True)


def print_layers(measured):
    every = range(1, ESTIMATED + 1)
    for layer, size in measured.truth.items():
        bounds = ", ".join(f"{low:.2e} to {high:.2e}" for low, high in measured.bounds(layer))
        print(f"{layer[0]}/{layer[1]}: truth {size:.2e}, {measured.share_of_mean(layer):.2f} of it in every batch; "
              f"E {size_of(measured.layers[layer], every):.2e}, {bounds}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampprof")
    parser.add_argument("samples", nargs="*", default=SAMPLES)
    parser.add_argument("--types", default="fp16,bf16")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--trained", type=int, default=300, help="steps before the weights are held")
    parser.add_argument("--layers", action="store_true", help="say what was found of each layer, on stderr")
    arguments = parser.parse_args()
    ampprof = str(pathlib.Path(arguments.ampprof).resolve())
    print("| sample | type | layers | halves of the truth | E, 1 step | E, 4 steps | signed, 1 step | signed, 4 steps "
          "| E / truth, median | truth in the 90 % interval |\n|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for sample in arguments.samples:
        for type_ in arguments.types.split(","):
            with tempfile.TemporaryDirectory() as folder:
                recorder = Recorder(ampprof, sample, type_, arguments.trained, pathlib.Path(folder))
                measured = Measured(recorder, arguments.jobs)
            print_row(sample, type_, measured)
            if arguments.layers:
                print_layers(measured)


if __name__ == "__main__":
    main()

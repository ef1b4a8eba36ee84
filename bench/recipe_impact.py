#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the accuracy of `ampprof run --what-if RECIPE`: compares the predicted effect of a recipe's fprop on the
loss with that of an executed run.

usage: recipe_impact.py AMPPROF [SAMPLE... | --minilm FOLDER] [--recipes fp8_current,mxfp8,nvfp4] [--steps 16]
                        [--trained 300] [--layers]

A sample may have options: "segmentation --wide". It is trained for --trained steps; then its weights are fixed.
Predicted: the sum of the impacts of all layers' fprop in a step. Executed: the loss of that step with `ampprof run
--recipe RECIPE` minus the loss without a recipe. The deviation is RMS(predicted - executed) / RMS(executed) over steps.
The same is printed for the change of the loss in the shadow, which runs the recipe.

With --layers, a policy executes each layer alone, over 48 other steps. Printed are the rank correlation of the
predicted size (sqrt(E^2 + mean^2) from four steps) with the RMS of the true changes, and the correlation of the mean
impact with the mean true change, for layers where the latter is at least two standard errors."""

import argparse
import concurrent.futures
import json
import math
import pathlib
import statistics
import tempfile

from impact_ranking import MiniLM, spearman
from recorder import Recorder

TRUE = 48  # steps in which single layers are executed
OPTIONS = {"resnet18": ["--batch-size", "16"], "segmentation": ["--batch-size", "8"]}
LOSSES = "SELECT step, value FROM loss JOIN segment ON segment.run = loss.run AND segment.id = loss.segment"
SHADOW = """SELECT step, shadow_value - value AS change FROM loss JOIN segment ON segment.run = loss.run
AND segment.id = loss.segment WHERE shadow_value IS NOT NULL"""
CHANGES = """
SELECT module, step, sum(impact) AS change,
  sum(ifnull(activation_square, 0) + ifnull(weight_square, 0) + ifnull(output_square, 0)) AS square
FROM loss_impact i JOIN segment s ON s.run = i.run AND s.id = i.segment
JOIN call_site c ON c.run = i.run AND c.id = i.call_site
WHERE i.source = 0 GROUP BY module, step"""


class Sample:
    """A sample after some training."""

    def __init__(self, words):
        self.name = words
        name, *options = words.split()
        self.words = [f"sample:{name}", "--threads", "1", "--opt-level", "O0", *options, *OPTIONS.get(name, [])]

    def train(self, recorder, steps):
        recorder.run("train.ampprof", ["--reference", "off"], *self.words, "--steps", str(steps), "--save-weights",
                     "weights")

    def steps(self, last):
        return [*self.words, "--steps", str(last), "--hold-weights", "weights"]

    def losses(self, recorder, report, flags, last):
        recorder.run(report, flags, *self.steps(last))
        return {int(row["step"]): float(row["value"]) for row in recorder.rows(report, LOSSES)}


class Pretrained(MiniLM):
    name = "minilm, pretrained"

    def losses(self, recorder, report, flags, last):
        printed = recorder.run(report, [*flags, "--levels", "O0"], *self.words, "--steps", f"1:{last}", "--forward")
        return {int(line.split()[1]): float(line.split()[2]) for line in printed.splitlines() if line.startswith("loss ")}


class Truth(Recorder):
    """Runs one program in a folder, with and without recipes."""

    def __init__(self, ampprof, program, trained, folder):
        super().__init__(ampprof, folder)
        self.program = program
        program.train(self, trained)

    def losses(self, name, steps, *flags):
        found = self.program.losses(self, f"{name}.ampprof", ["--reference", "off", *flags], steps)
        (self.folder / f"{name}.ampprof").unlink()
        return found

    def predicted(self, recipe, steps):
        """Returns (change, E^2) of each layer by step; the change of the loss by step; the share of quantized FLOPs.
        """
        self.run("what_if.ampprof", ["--every", "1", "--what-if", recipe], *self.program.steps(steps))
        layers = {}
        for row in self.rows("what_if.ampprof", CHANGES):
            layers.setdefault(row["module"], {})[int(row["step"])] = (float(row["change"]), float(row["square"]))
        loss = {int(row["step"]): float(row["change"]) for row in self.rows("what_if.ampprof", SHADOW)}
        rows = json.loads(self.call("show", "what_if.ampprof", "recipes", "--format", "json"))
        rows = [row for row in rows if row["phase"] == "forward"]
        work = [(row["flops"] * row["calls"], row["is_quantized"]) for row in rows]
        return layers, loss, sum(flops for flops, quantized in work if quantized) / sum(flops for flops, _ in work)


def rms(values):
    return math.sqrt(statistics.fmean(value**2 for value in values))


def total(recorder, recipe, steps, plain):
    layers, loss, share = recorder.predicted(recipe, steps)
    executed = recorder.losses("recipe", steps, "--recipe", recipe)
    truth = {step: executed[step] - plain[step] for step in plain if step in executed and step <= steps}
    predicted = {step: sum(layer[step][0] for layer in layers.values() if step in layer) for step in truth}
    size = rms(list(truth.values()))
    off = [rms([told[step] - truth[step] for step in truth]) / size if size > 0 else math.nan
           for told in (predicted, loss)]
    means = statistics.fmean(predicted.values()), statistics.fmean(truth.values())
    print(f"| {recorder.program.name} | {recipe} | {share:.0%} | {means[0]:+.2e} | {means[1]:+.2e} "
          f"| {' | '.join('-' if math.isnan(one) else f'{one:.1%}' for one in off)} |", flush=True)


def resolved(changes):
    return abs(statistics.fmean(changes)) >= 2 * statistics.stdev(changes) / math.sqrt(len(changes))


def size_of(steps):
    """Returns the predicted size of a layer's effect: E and the mean change, which is of second order and large in 4
    bits."""
    return math.sqrt(statistics.fmean(square for _, square in steps) + statistics.fmean(change for change, _ in steps)**2)


def single_layers(recorder, recipe, layers, steps, plain, jobs):
    def alone(index_and_layer):
        index, layer = index_and_layer
        (recorder.folder / f"layer{index}.amp").write_text(f"{layer} fprop {recipe}\n")
        losses = recorder.losses(f"layer{index}", steps + TRUE, "--policy", f"layer{index}.amp")
        return [losses[step] - plain[step] for step in plain if step > steps]

    names = [name for name in layers if name]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        truth = dict(zip(names, pool.map(alone, enumerate(names))))
    names = [name for name in names if rms(truth[name]) > 1e-7]
    if not names:
        raise SystemExit(f"{recorder.program.name}, {recipe}: no layer with a module's name does anything to the loss")
    estimates = [size_of(list(layers[name].values())[:4]) for name in names]
    sizes = [rms(truth[name]) for name in names]
    halves = spearman(*([rms(truth[name][part::2]) for name in names] for part in (0, 1)))
    means = [(statistics.fmean(change for change, _ in layers[name].values()), statistics.fmean(truth[name]))
             for name in names if resolved(truth[name])]
    correlation = statistics.correlation(*zip(*means)) if len(means) > 2 else math.nan
    print(f"| {recorder.program.name} | {recipe} | {len(names)} | {halves:.2f} | {spearman(estimates, sizes):.2f} "
          f"| {statistics.median(e / t for e, t in zip(estimates, sizes)):.2f} "
          f"| {correlation:.2f} of {len(means)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampprof")
    parser.add_argument("samples", nargs="*", default=["transformer", "mnist_cnn"])
    parser.add_argument("--recipes", default="fp8_current,mxfp8,nvfp4", help="by commas; without switches")
    parser.add_argument("--steps", type=int, default=16)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--trained", type=int, default=300, help="steps before the weights are held")
    parser.add_argument("--minilm", help="folder of a pretrained model, as minilm.py takes it: instead of samples")
    parser.add_argument("--layers", action="store_true", help="execute each layer alone, too")
    arguments = parser.parse_args()
    ampprof = str(pathlib.Path(arguments.ampprof).resolve())
    columns = ["sample", "recipe", "layers", "halves of the truth", "size, 4 steps", "size / truth, median",
               "mean impact with mean truth"] if arguments.layers else [
                   "sample", "recipe", "of FLOPs", "predicted, mean", "executed, mean", "deviation", "of the loss itself"]
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|", flush=True)
    programs = [Pretrained(arguments.minilm)] if arguments.minilm else map(Sample, arguments.samples)
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            recorder = Truth(ampprof, program, arguments.trained, pathlib.Path(folder))
            plain = recorder.losses("plain", arguments.steps + (TRUE if arguments.layers else 0))
            for recipe in arguments.recipes.split(","):
                if arguments.layers:
                    layers, *_ = recorder.predicted(recipe, arguments.steps)
                    single_layers(recorder, recipe, layers, arguments.steps, plain, arguments.jobs)
                else:
                    total(recorder, recipe, arguments.steps, plain)


if __name__ == "__main__":
    main()

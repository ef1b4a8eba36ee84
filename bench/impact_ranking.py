#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how well E, the expected loss impact, ranks the layers of a sample, and whether its intervals hold.

usage: impact_ranking.py AMPPROF [SAMPLE... | --minilm FOLDER] [--types fp16,bf16] [--functions linear] [--jobs 2]
                         [--trained 300] [--seeds 1] [--layers]

The sample is trained for --trained steps. Then its weights are held, except for a random change below one ulp of BF16
in each step; otherwise the rounding of a weight would be a single draw, however many batches there are.

The true impact of a layer is the root mean square, over 48 batches, of the change of the loss if only that layer runs
in the type (a policy at O1) and all else in FP32. Both losses are FP32 numbers, so the expected effect of their last
bit is subtracted; layers with less than twice this effect are left out. E comes from `ampprof run --what-if TYPE`.
Ranks and intervals use E of single steps and of four steps, from twelve other batches. The ratio of E to the true
impact uses the same 48 batches for both, since other batches may be easier or harder."""

import argparse
import concurrent.futures
import json
import math
import pathlib
import statistics
import sys
import tempfile
import typing

from recorder import Recorder

ESTIMATED = 12  # steps for E: single ones and every four
FOURS = [range(first, first + 4) for first in range(1, ESTIMATED, 4)]
TRUE = 48  # batches for the true impact
OPTIONS = {"resnet18": ["--batch-size", "8"]}
SAMPLES = ["transformer", "mnist_cnn", "resnet18", "char_lstm"]
FUNCTIONS = {"linear", "matmul", "addmm", "bmm", "baddbmm", "mm", "conv2d", "lstm"}  # compute a model's matmuls
BEHIND = {"gelu", "batch_norm", "tanh", "sigmoid"}  # keep the type of a matmul's result, and would round again
BIAS = "add_"  # adds the bias of a three-dimensional linear() to the matmul in place, so in its type
HELD = ["--hold-weights", "weights", "--dither-weights"]
ESTIMATES = """
SELECT module, op, step, sum(ifnull(activation_square, 0) + ifnull(weight_square, 0)) AS operands,
  sum(ifnull(output_square, 0)) AS output, sum(impact) AS change
FROM loss_impact JOIN segment ON segment.run = loss_impact.run AND segment.id = loss_impact.segment
JOIN call_site ON call_site.run = loss_impact.run AND call_site.id = loss_impact.call_site
WHERE loss_impact.source = 0 GROUP BY module, op, step"""
LOSSES = "SELECT step, value FROM loss JOIN segment ON segment.run = loss.run AND segment.id = loss.segment"


class Impact(typing.NamedTuple):
    """Effect of a call's roundings on the loss: expected squares from operands and output, and the signed change."""
    operands: float
    output: float
    change: float

    def with_bias(self, bias):
        """Adds the call that adds the bias. Takes the larger output square, since both contain the matmul's
        rounding."""
        if bias is None:
            return self
        return Impact(self.operands + bias.operands, max(self.output, bias.output), self.change + bias.change)

    def square(self):
        return self.operands + self.output


class Sample:
    """A sample after some training."""

    def __init__(self, name, seed):
        self.words = [f"sample:{name}", "--threads", "1", "--seed", str(seed), *OPTIONS.get(name, [])]

    def train(self, recorder, steps):
        recorder.run("train.ampprof", ["--reference", "off"], *self.words, "--opt-level", "O0", "--steps", str(steps),
                     "--save-weights", "weights")

    def steps(self, last):
        return [*self.words, "--opt-level", "O0", "--steps", str(last), *HELD]

    def losses(self, recorder, report, flags):
        recorder.run(report, flags, *self.words, "--opt-level", "O1", "--steps", str(ESTIMATED + TRUE), *HELD)
        return [float(row["value"]) for row in recorder.rows(report, LOSSES) if int(row["step"]) > ESTIMATED]


class MiniLM:
    """The program minilm.py, with pretrained weights from a folder."""

    def __init__(self, folder):
        program = pathlib.Path(__file__).resolve().parent / "minilm.py"
        self.words = ["--", "python", str(program), str(pathlib.Path(folder).resolve())]

    def train(self, recorder, steps):
        pass

    def steps(self, last):
        return [*self.words, "--steps", f"1:{last}"]

    def losses(self, recorder, report, flags):
        printed = recorder.run(report, [*flags, "--levels", "O1"], *self.words, "--steps",
                               f"{ESTIMATED + 1}:{ESTIMATED + TRUE}", "--forward")
        return [float(line.split()[2]) for line in printed.splitlines() if line.startswith("loss ")]


class Ranking(Recorder):
    """Records one program in a folder, and reads impacts from the reports."""

    def __init__(self, ampprof, program, type_, folder):
        super().__init__(ampprof, folder)
        self.program, self.type = program, type_

    def estimate(self, report, last, *flags):
        self.run(report, ["--what-if", self.type, "--impact", "--no-inherited", *flags], *self.program.steps(last))

    def estimates(self, first, last):
        """Returns {layer: {step: Impact}} for steps `first` to `last`; a layer is (module, function)."""
        self.estimate("estimates.ampprof", last, "--every", "1", "--steps", f"{first}:{last}")
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
        """Returns ampprof's intervals of E from four steps, as {layer: (low / E, high / E)}."""
        report = f"intervals{first}.ampprof"
        self.estimate(report, first + 3, "--steps", f"{first}:{first + 3}")
        rows = json.loads(self.call("show", report, "impact", "--format", "json"))
        if isinstance(rows, dict):
            rows = rows["impact"]
        found = {}
        for row in rows:
            if row["estimate_low"] is not None and row["op"] and row["source"] == "op":
                layer = (row["module"], row["op"].split(".")[0])
                bounds = row["estimate_low"] / row["estimate"], row["estimate_high"] / row["estimate"]
                found[layer] = None if layer in found else bounds
        return {layer: bounds for layer, bounds in found.items() if bounds}

    def losses(self, name, rules):
        (self.folder / f"{name}.amp").write_text("\n".join(rules) + "\n")
        report = f"{name}.ampprof"
        losses = self.program.losses(self, report, ["--reference", "off", "--policy", f"{name}.amp", "--type", self.type])
        (self.folder / report).unlink()
        return losses


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
    """Returns the RMS of the changes without the variance of rounding two losses to FP32, each ulp**2 / 12."""
    return math.sqrt(max(0.0, statistics.fmean(change**2 for change in changes) - last_bit(loss) ** 2 / 6))


def size_of(steps, taken, square=Impact.square):
    values = [square(steps[step]) for step in taken if step in steps]
    return math.sqrt(statistics.fmean(values)) if values else math.nan


def signed_square(impact):
    return impact.change**2


class Measured:
    """Predicted (E) and true impacts of a sample's layers on the loss."""

    def __init__(self, recorder, functions, jobs):
        self.layers = {layer: steps for layer, steps in recorder.estimates(1, ESTIMATED).items() if layer[1] in functions}
        self.of_truth = recorder.estimates(ESTIMATED + 1, ESTIMATED + TRUE)
        high = [f"{function} fp32" for function in sorted(FUNCTIONS | BEHIND)]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            base = pool.submit(recorder.losses, "high", high)
            alone = {layer: pool.submit(recorder.losses, f"layer{i}", high + self.rules_of(layer))
                     for i, layer in enumerate(self.layers)}
            self.intervals = list(pool.map(recorder.intervals, (taken[0] for taken in FOURS)))
        losses = base.result()
        self.changes = {layer: [a - b for a, b in zip(found.result(), losses)] for layer, found in alone.items()}
        self.loss = statistics.fmean(losses)
        noise = last_bit(self.loss) / math.sqrt(6)
        truth = {layer: true_size(each, self.loss) for layer, each in self.changes.items()}
        self.truth = {layer: size for layer, size in truth.items() if size > 2 * noise}

    def rules_of(self, layer):
        """Returns policy rules that run this layer alone in the type. A layer outside of modules needs FP32 rules for
        all other modules, since a rule without a module applies to each module that has none of its own."""
        module, function = layer
        if module:
            return [f"{function} fp16 in {module}"]
        return [f"{function} fp16", *(f"{function} fp32 in {other[0]}" for other in self.layers
                                      if other[0] and other[1] == function)]

    def halves(self):
        return spearman(*([true_size(self.changes[layer][part::2], self.loss) for layer in self.truth]
                          for part in (0, 1)))

    def ranks_by(self, takes, square):
        return statistics.fmean(spearman([size_of(self.layers[layer], taken, square) for layer in self.truth],
                                         list(self.truth.values())) for taken in takes)

    def sizes(self, square):
        """Returns E / true impact of each layer, both from the same batches."""
        return [size_of(self.of_truth[layer], self.of_truth[layer], square) / size for layer, size in self.truth.items()]

    def bounds(self, layer):
        """Yields the (low, high) bounds of E of a layer, for each group of four steps."""
        for taken, found in zip(FOURS, self.intervals):
            if layer in found:
                yield tuple(bound * size_of(self.layers[layer], taken) for bound in found[layer])

    def held(self):
        return [low <= size <= high for layer, size in self.truth.items() for low, high in self.bounds(layer)]

    def share_of_mean(self, layer):
        """Returns the mean change over batches relative to the true (RMS) impact."""
        return abs(statistics.fmean(self.changes[layer])) / self.truth[layer]


def print_row(name, type_, trainings):
    """Prints one row: the mean rank correlation (Spearman) over trainings; ratios and intervals over all layers."""
    ones = [[step] for step in range(1, ESTIMATED + 1)]
    count = f"{sum(len(each.truth) for each in trainings)} of {sum(len(each.layers) for each in trainings)}"
    ranks = [statistics.fmean(each.halves() for each in trainings)]
    for square in (Impact.square, signed_square):
        ranks += [statistics.fmean(each.ranks_by(takes, square) for each in trainings) for takes in (ones, FOURS)]
    held = [is_held for each in trainings for is_held in each.held()]
    sizes, signed = ([size for each in trainings for size in each.sizes(square)]
                     for square in (Impact.square, signed_square))
    print(f"| {name} | {type_} | {count} " + "".join("| - " if math.isnan(rank) else f"| {rank:.2f} " for rank in ranks)
          + "".join(f"| {statistics.median(each):.2f} ({min(each):.2f} to {max(each):.2f}) " for each in (sizes, signed))
          + f"| {sum(held)} of {len(held)} |",
          flush=True)


def print_layers(measured):
    for layer, size in measured.truth.items():
        bounds = ", ".join(f"{low:.2e} to {high:.2e}" for low, high in measured.bounds(layer))
        print(f"{layer[0]}/{layer[1]}: truth {size:.2e}, {measured.share_of_mean(layer):.2f} of it in every batch; "
              f"E {size_of(measured.of_truth[layer], measured.of_truth[layer]):.2e}, {bounds}", file=sys.stderr)


def measured(arguments, name, seed, type_):
    program = MiniLM(arguments.minilm) if arguments.minilm else Sample(name, seed)
    with tempfile.TemporaryDirectory() as folder:
        recorder = Ranking(str(pathlib.Path(arguments.ampprof).resolve()), program, type_, pathlib.Path(folder))
        program.train(recorder, arguments.trained)
        return Measured(recorder, arguments.functions.split(","), arguments.jobs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampprof")
    parser.add_argument("samples", nargs="*", default=SAMPLES)
    parser.add_argument("--types", default="fp16,bf16")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--trained", type=int, default=300, help="steps before the weights are held")
    parser.add_argument("--seeds", type=int, default=1, help="trainings")
    parser.add_argument("--functions", default=",".join(FUNCTIONS), help="whose layers are taken")
    parser.add_argument("--minilm", help="folder of a pretrained model, as minilm.py takes it: instead of samples")
    parser.add_argument("--layers", action="store_true", help="say what was found of each layer, on stderr")
    arguments = parser.parse_args()
    print("| sample | type | layers | halves of the truth | E, 1 step | E, 4 steps | signed, 1 step | signed, 4 steps "
          "| E / truth, median and range | signed / truth | truth in the 90 % interval |\n" + "|---" * 11 + "|", flush=True)
    for name in ["minilm"] if arguments.minilm else arguments.samples:
        for type_ in arguments.types.split(","):
            trainings = [measured(arguments, name, seed, type_) for seed in range(1, arguments.seeds + 1)]
            print_row(name, type_, trainings)
            for each in trainings if arguments.layers else []:
                print_layers(each)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Measures the overhead of `ampprof run --overhead SHARE`, and how complete its report is.

    OMP_NUM_THREADS=2 python bench/bounded.py build/bin/ampprof [SAMPLE ...] [--share 5%] [--steps 1000] [--rounds 3]

Trains each sample at O1 for --steps steps, alternately alone and recorded with --inherited --impact under the bound.
Prints:
- the ratio of step times (median and range of the rounds), without start-up, which a run of one step measures;
- the smallest number of recorded calls, over the call sites that are called in every step;
- the rank correlation (Spearman) of forward call sites by loss impact between this recording and one without a bound.
  --full STEPS shortens the latter, but impacts and their ranks change while a model trains."""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

EVERYTHING = ["--inherited", "--impact"]


def seconds(words):
    begun = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
    return time.perf_counter() - begun


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    return [rank for _, rank in sorted((place, rank) for rank, place in enumerate(order))]


class Sample:
    """Runs one sample at O1, alone and recorded, and reads the report."""

    def __init__(self, ampprof, name, report, arguments):
        self._ampprof, self._name, self._report, self._arguments = ampprof, name, report, arguments
        self._program = next(pathlib.Path(ampprof).resolve().parent.parent.glob(f"lib/torch-*/sample_{name}"))

    def plain(self, steps):
        return seconds([self._program, "--opt-level", "O1", "--steps", str(steps), *self._arguments])

    def recorded(self, steps, share):
        options = ["--force", "-o", self._report, "--levels", "O1", *EVERYTHING, "--overhead", share]
        return seconds([self._ampprof, "run", *options, f"sample:{self._name}", "--steps", str(steps), *self._arguments])

    def shown(self, view):
        words = [self._ampprof, "show", self._report, view, "--format", "json", "--limit", "100000"]
        return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)

    def impacts(self):
        forward = (row for row in self.shown("ops") if row["phase"] == "forward")
        return {row["call_site"]: row["loss_impact_size"] for row in forward if row["loss_impact_size"]}

    def calls(self):
        steps = (row for row in self.shown("ops") if row["phase"] in ("forward", "backward"))
        return {row["call_site"]: row["calls"] for row in steps}


def judge(sample, options):
    sample.recorded(options.full, "off")
    full = sample.impacts()
    in_each_step = [site for site, calls in sample.calls().items() if calls >= options.full]
    ratios = []
    for _ in range(options.rounds):
        plain = sample.plain(options.steps) - sample.plain(1)
        starts = sample.recorded(1, options.share)
        ratios.append((sample.recorded(options.steps, options.share) - starts) / plain)
    found = sample.impacts()
    common = sorted(full.keys() & found.keys())
    calls = sample.calls()
    fewest = min(calls.get(site, 0) for site in in_each_step)
    correlation = statistics.correlation(ranks([full[site] for site in common]), ranks([found[site] for site in common]))
    print(
        f"{statistics.median(ratios):.3f} ({min(ratios):.2f} to {max(ratios):.2f}) of plain, "
        f"{sample.shown('runs')[0]['recorded_steps']} of {options.steps} steps recorded, fewest calls {fewest}, "
        f"Spearman {correlation:.2f} of {len(common)} call sites ({len(full)} in full)",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampprof")
    parser.add_argument("samples", nargs="*", metavar="SAMPLE", default=["mlp", "transformer", "resnet18"])
    parser.add_argument("--share", default="5%")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--full", type=int, help="steps of the recording without a bound (default: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batch-size", help="batch size of the samples (default: their own)")
    options = parser.parse_args()
    options.full = options.full or options.steps
    with tempfile.TemporaryDirectory() as folder:
        for name in options.samples:
            print(f"{name}, {options.share}: ", end="", flush=True)
            arguments = ["--batch-size", options.batch_size] if options.batch_size else []
            judge(Sample(options.ampprof, name, str(pathlib.Path(folder, "r.ampprof")), arguments), options)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Measures what it costs a recorded Python training if somebody follows its report.

    OMP_NUM_THREADS=2 python bench/followers.py build/bin/ampprof [--steps 400] [--rounds 3] [--program resnet18]

Records the program with --overhead 5%, in alternating runs: with no follower, and with one of `ampprof watch`,
`ampprof show --follow`, and `ampprof serve`, whose page is read as often as its script does. Prints the mean and
the median of a step relative to the run without a follower, and the follower's processor time as a share of the
program's time."""

import argparse
import contextlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

OVERHEAD = str(pathlib.Path(__file__).with_name("overhead.py"))


class Follower:
    """Runs a follower, whose output is dropped. `cpu_s` is its processor time, once it has ended."""

    def __init__(self, words, output=subprocess.DEVNULL):
        self.words, self.cpu_s = words, 0.0
        self.process = subprocess.Popen(words, stdout=output, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        if self.process.returncode not in (0, -9):
            raise SystemExit(f"{' '.join(self.words)} ended with {self.process.returncode}")
        self.cpu_s = usage.ru_utime + usage.ru_stime


def read_again(address, ended, pages):
    """Reads the page as often as its script does: at most each second, in at most a twentieth of the time."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    wait = 1.0
    while not ended.wait(wait):
        begun = time.perf_counter()
        with contextlib.suppress(OSError), browser.open(address) as answer:
            pages.append(len(answer.read()))
        wait = max(1.0, 20 * (time.perf_counter() - begun))


class Served(Follower):
    """Runs `ampprof serve` and a reader of its page."""

    def __init__(self, words):
        super().__init__(words, subprocess.PIPE)
        addresses = (re.search(r"http://\S+", line) for line in self.process.stdout)
        self.address = next(found[0] for found in addresses if found)
        self.pages, self.ended = [], threading.Event()
        self.reader = threading.Thread(target=read_again, args=(self.address, self.ended, self.pages))
        self.reader.start()

    def __exit__(self, *error):
        self.ended.set()
        self.reader.join()
        super().__exit__(*error)
        if not self.pages:
            raise SystemExit(f"{self.address} was not read once")


FOLLOWERS = {
    "none": lambda ampprof, report: Follower(["sleep", "1000"]),
    "watch": lambda ampprof, report: Follower([ampprof, "watch", report]),
    "show --follow": lambda ampprof, report: Follower([ampprof, "show", report, "--follow"]),
    "serve": lambda ampprof, report: Served([ampprof, "serve", report]),
}


def measured(options, follow, report):
    """Returns mean and median of a step in ms, and the follower's processor time as a share of all steps' time."""
    report.unlink(missing_ok=True)
    words = [options.ampprof, "run", "-o", str(report), "--overhead", "5%", "--"]
    words += [sys.executable, OVERHEAD, "--train", options.program, str(options.steps)]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while not report.exists():
        if run.poll() is not None:
            raise SystemExit(run.stdout.read())
        time.sleep(0.05)
    with follow(options.ampprof, str(report)) as follower:
        output = run.communicate()[0]
    found = re.search(r"mean ([\d.]+) median ([\d.]+)", output)
    if not found:
        raise SystemExit(output)
    mean, median = float(found[1]), float(found[2])
    return mean, median, follower.cpu_s / (mean * options.steps / 1000)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ampprof")
    parser.add_argument("--program", default="resnet18")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    times = {name: [] for name in FOLLOWERS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for name, follow in FOLLOWERS.items():
                times[name].append(measured(options, follow, pathlib.Path(folder, "r.ampprof")))
    for name, of_name in times.items():
        figures = []
        for figure in (0, 1):
            ratios = [mine[figure] / alone[figure] for mine, alone in zip(of_name, times["none"])]
            figures.append(f"{statistics.median(ratios):.3f} ({min(ratios):.2f} to {max(ratios):.2f})")
        cpu = statistics.median(share for _, _, share in of_name)
        print(f"{name:14} mean {figures[0]}, median {figures[1]}, processor {cpu:.1%}")


if __name__ == "__main__":
    main()

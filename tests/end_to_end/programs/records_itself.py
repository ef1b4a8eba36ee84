# SPDX-License-Identifier: Apache-2.0
"""Programs that begin and end their own recordings. usage: records_itself.py CASES [ARGUMENTS of train.py]
Commas separate cases. Each case's report has the case's name."""

import multiprocessing
import os
import signal
import sys
import warnings

import ampprof
import torch

import train

CASES, *ARGUMENTS = sys.argv[1:]


def run_train():
    sys.argv = ["train.py", *ARGUMENTS]
    train.main()


def whole():
    with ampprof.record("whole.ampprof", impact=True, inherited=True):
        run_train()


def twice():
    for report in ("first.ampprof", "second.ampprof"):
        with ampprof.record(report, impact=True):
            run_train()


def with_options():
    recording = ampprof.record("with_options.ampprof", steps="2:3", reference="off").start()
    run_train()
    recording.stop()
    print(recording)


def reads():
    with ampprof.record("reads.ampprof", impact=True):
        run_train()
    report = ampprof.open("reads.ampprof")
    for table in (report.runs, report.ops, report.events, report.impacts, report.losses, report.missing):
        rows = table.to_dict("records") if hasattr(table, "columns") else table
        print(len(rows), *list(rows[0])[:3] if rows else "")
    print(report.check("steps == 4") == "", report.check("steps == 5") != "")
    print("<iframe" in report._repr_html_(), report.loss_scale is not None)
    os.mkdir("elsewhere")
    os.chdir("elsewhere")
    print(len(report.view("ops", limit=None)) == len(report.ops), "answer" in report.summary)
    os.chdir("..")
    try:
        report.nonsense
    except AttributeError as error:
        print(error)
    try:
        ampprof.open("absent.ampprof")
    except ampprof.CommandError as error:
        print(error.exit_code, error)


def wrong_option():
    try:
        with ampprof.record("wrong_option.ampprof", what_iff="fp16"):
            pass
    except ampprof.RecordingError as error:
        print(error)


def exception():
    try:
        with ampprof.record("exception.ampprof"):
            run_train()
            raise ValueError("the program's own")
    except ValueError as error:
        print(error)


def warns():
    """Prints the warnings of a recording that begins inside another one."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with ampprof.record("warns.ampprof"), ampprof.record("inner.ampprof"):
            run_train()
        for each in told:
            print(each.message)


def nothing():
    with warnings.catch_warnings(record=True) as told:
        with ampprof.record("nothing.ampprof"):
            pass
        print(told[0].message)


def interrupted():
    """Interrupts start() after the recording has begun, but before start() returns."""
    with ampprof.record("before.ampprof"):
        run_train()
    hooks = sys.modules["ampprof_hooks"]
    begins = hooks.recording_begins

    def interrupt():
        raise KeyboardInterrupt

    hooks.recording_begins = interrupt
    try:
        ampprof.record("interrupted.ampprof").start()
    except KeyboardInterrupt:
        pass
    hooks.recording_begins = begins
    with ampprof.record("after.ampprof"):
        run_train()


def lost():
    """Rebinds the variable of a recording, as running a notebook cell twice does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(2):
            recording = ampprof.record("lost.ampprof", force=True).start()
    run_train()
    try:
        recording.report
    except ampprof.RecordingError as error:
        print(error)
    ampprof.stop()
    ampprof.stop()


def ignored_children():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with ampprof.record("ignored_children.ampprof"):
        run_train()
    signal.signal(signal.SIGCHLD, before)
    print("left in the environment:", [name for name in os.environ if "NVTX" in name])


def infer_long():
    with ampprof.record("spawned.ampprof", reference="off"):
        one = torch.ones(1)
        for _ in range(200_100):
            one.neg_()


def spawned():
    """Runs more ops without backward in a worker than ampprof watches in order to recognize data-loading workers."""
    worker = multiprocessing.get_context("spawn").Process(target=infer_long)
    worker.start()
    worker.join()


def dies():
    ampprof.record("dies.ampprof").start()
    run_train()
    raise ValueError("the program's own")


def fork():
    """A forked child calls ops and exits inside the block."""
    with ampprof.record("fork.ampprof"):
        run_train()
        child = os.fork()
        if child == 0:
            torch.ones(3).sum()
            sys.exit(0)
        os.waitpid(child, 0)
        torch.ones(2).sum()


def late():
    """Creates and uses model, optimizer and scheduler before the recording begins."""
    torch.manual_seed(1)
    net = train.Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(torch.randn(4, 1, 8, 8)), torch.zeros(4, dtype=torch.long))
        loss.backward()
        optimizer.step()
        scheduler.step()

    step()
    with ampprof.record("late.ampprof"):
        for _ in range(3):
            step()
    step()


def compiled_before():
    """Compiles one of two regions before the recording begins."""
    before = torch.compile(lambda x: x * 2, backend="aot_eager")
    inside = torch.compile(lambda x: x + 2, backend="aot_eager")
    before(torch.ones(3))
    with ampprof.record("compiled_before.ampprof"):
        before(torch.ones(3))
        inside(torch.ones(3))


def marks():
    """Calls ampprof.step() before a recording begins."""
    weight = torch.ones(3, requires_grad=True)
    ampprof.step()
    with ampprof.record("marks.ampprof"):
        for _ in range(5):
            (weight * 2).sum().backward()
            ampprof.step()


if __name__ == "__main__":
    for case in CASES.split(","):
        globals()[case]()

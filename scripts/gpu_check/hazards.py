# SPDX-License-Identifier: Apache-2.0
"""Phase `hazards`: programs with GPU features that a profiler easily disturbs behave as without ampprof, and reports
survive kill -9."""
import os
import signal
import subprocess
import time

from gpu_check import processes

DEEP = ["--inherited", "--impact", "--sketch"]
HAZARDS = {
    "capture": "a CUDA graph is captured and replayed",
    "side_stream": "work on a stream of its own",
    "landing": "copies that are not synchronized immediately",
    "generators": "the generator's offset",
    "full_memory": "the device's memory is full",
    "long_inference": "100,000 ops without the end of a step",
    "own_profiler": "the program's own profiler",
    "two_devices": "a step across two GPUs",
}
LATE_FIGURES = """SELECT sum(o.calls) FROM op_total o JOIN call_site c ON c.run = o.run AND c.id = o.call_site
WHERE c.op LIKE 'mul%' AND o.reference_amax IS NOT NULL"""
LATE_KERNELS = """SELECT sum(w.count) FROM gpu_activity_total w JOIN call_site c ON c.run = w.run AND c.id = w.call_site
WHERE c.op LIKE 'mul%' AND w.kind = 0"""
OWN = "SELECT cause FROM missing WHERE what = 'what ampprof failed to look at'"


def check(pack, verdicts, folder):
    if not verdicts.check(pack.python is not None, "there is a Python with this LibTorch"):
        return
    devices = count_devices(pack)
    for name, what in HAZARDS.items():
        if name == "two_devices" and devices < 2:
            verdicts.say(f"\n-- {what}: skipped, there is only one GPU")
            continue
        verdicts.title(what)
        compare(pack, verdicts, folder / f"{name}.ampprof", pack.python_command("cuda_hazards.py", name))
    verdicts.title("a fork before the first use, and devices chosen late")
    late = {"LATE_DEVICE": "1" if devices > 1 else "0"}
    compare(pack, verdicts, folder / "fork.ampprof", pack.python_command("late_devices.py"), late)
    verdicts.title("a program that uses the GPU for the first time in its last lines")
    check_late_use(pack, verdicts, folder / "late.ampprof")
    for whom in ("program", "program and ampprof"):
        verdicts.title(f"kill -9 of {whom}")
        check_kill(pack, verdicts, folder / f"kill.{whom.replace(' ', '_')}.ampprof", whom)


def count_devices(pack):
    found = processes.run([pack.python, "-c", "import torch; print(torch.cuda.device_count())"])
    return int(found.out) if found.code == 0 and found.out.strip().isdigit() else 0


def compare(pack, verdicts, report, command, variables=None):
    """Runs a program alone and recorded. Checks that both print the same."""
    alone = processes.run(command, variables)
    watched = pack.record(report, DEEP, command, variables=variables)
    verdicts.table(["", "exit code", "seconds", "prints"],
                   [["alone", alone.code, alone.seconds, last_line(alone)], ["recorded", watched.code, watched.seconds,
                                                                             last_line(watched)]])
    if not verdicts.check(alone.code == 0, f"it runs alone ({alone.why})"):
        return
    verdicts.check(watched.code == 0, f"it runs while it is recorded ({watched.why})")
    verdicts.check(watched.out == alone.out, "it prints the same output")
    own = [row["cause"] for row in pack.query(report, OWN)]
    # If the device's memory is full, references may be missing, provided that the report says so.
    expected = report.stem == "full_memory" and all("memory" in cause for cause in own)
    verdicts.check(not own or expected, f"ampprof itself had no failures{': ' + '; '.join(own) if own else ''}")


def check_late_use(pack, verdicts, report):
    """Checks that the report has the program's last GPU work, although the driver's exit handlers run at its end."""
    compare(pack, verdicts, report, [pack.program("uses_cuda_late")])
    verdicts.check(pack.value(report, LATE_FIGURES) == 5, "each of its five products has statistics")
    verdicts.check(pack.value(report, LATE_KERNELS) == 5, "each of its five products has a kernel")


def last_line(outcome):
    return (outcome.out.strip().splitlines() or ["nothing"])[-1][:100]


def steps_of(process, seconds):
    """Reads the output of endless.py until `seconds` after its first step. Returns (step, time, process id) of each
    step."""
    seen = []
    for line in process.stdout:
        _, step, number = line.split()
        seen.append((int(step), time.monotonic(), int(number)))
        if seen[-1][1] - seen[0][1] > seconds:
            break
    return seen


def check_kill(pack, verdicts, report, whom):
    """Kills the program, alone or with ampprof. Checks that the report has all steps that ended more than a second
    before, and, if ampprof survives, the cause."""
    report.unlink(missing_ok=True)
    line = [pack.ampprof, "run", "--force", "-o", report, "--", *pack.python_command("endless.py")]
    process = processes.start(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    seen = steps_of(process, seconds=4)
    died = time.monotonic()
    if not verdicts.check(bool(seen), "the program trains"):
        processes.kill(process)
        return
    if whom == "program":
        os.kill(seen[-1][2], signal.SIGKILL)
        process.wait(60)
    processes.kill(process)
    process.wait()
    must = max((step for step, when, _ in seen if when < died - 1), default=0)
    shown = processes.run([pack.ampprof, "show", report])
    verdicts.check(shown.code == 0, f"the report can be read ({shown.why if shown.code else 'exit code 0'})")
    last = pack.value(report, "SELECT max(step) FROM segment") or 0
    verdicts.at_least(last, must, f"last step in the report (the program saw {seen[-1][0]})")
    verdicts.at_least(pack.value(report, "SELECT sum(activity_count) FROM call_chunk"), 1, "kernels in the report")
    if whom == "program":
        verdicts.check(pack.value(report, "SELECT exit_code FROM run") == 128 + signal.SIGKILL, "the report says what ended the program")

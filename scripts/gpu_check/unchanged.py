# SPDX-License-Identifier: Apache-2.0
"""Phase `unchanged`: recorded programs end with the same bits as without ampprof: weights, buffers, stdout, states of
random generators.

The programs use deterministic kernels. A program whose results differ between two runs without ampprof proves nothing,
so its check fails, too."""
import concurrent.futures
import dataclasses
import hashlib
import os

from gpu_check import processes

MODES = {
    "off": ["--reference", "off"],
    "fp32": [],
    "fp64": ["--reference", "fp64"],
    "deep": ["--inherited", "--impact"],
    "sketch": ["--sketch"],
    "what-if": ["--what-if", "fp16", "--impact"],  # runs at O0
}
OVERFLOWS = "SELECT count(*) FROM scale_update WHERE overflow"
OF_AMPPROF = "SELECT count(*) FROM missing WHERE what = 'what ampprof failed to look at'"


@dataclasses.dataclass
class Program:
    name: str
    sample: str
    arguments: list


PROGRAMS = [
    Program("resnet18", "resnet18", ["--steps", "3", "--batch-size", "32"]),
    Program("mlp with dropout", "mlp", ["--steps", "6"]),
    Program("char_lstm", "char_lstm", ["--steps", "4"]),
    Program("transformer", "transformer", ["--steps", "4"]),
    Program("mlp, overflow in step 3", "mlp", ["--steps", "6", "--poison-step", "3"]),
]


@dataclasses.dataclass
class Ending:
    """The results of a run that are compared: stdout, and a hash of the saved state."""

    problem: str
    out: str = ""
    state: str = ""


def command_of(pack, program, level, file):
    command = [pack.program(f"sample_{program.sample}"), "--device", "cuda", "--opt-level", level, "--deterministic"]
    return [*command, "--threads", "1", "--save", file, *program.arguments]


def ending_of(found, file):
    if found.code != 0 or not file.exists():
        return Ending(found.why)
    state = file.read_bytes()
    file.unlink()
    return Ending("", found.out, hashlib.sha256(state).hexdigest() if len(state) > 1000 else "")


def run_alone(pack, program, level, folder, turn):
    file = folder / f"{program.name}.{level}.{turn}.pt".replace(" ", "_")
    return ending_of(processes.run(command_of(pack, program, level, file)), file)


def run_recorded(pack, program, mode, folder):
    """Returns the program's results, the number of ampprof's own failures, and the number of overflows."""
    file = folder / f"{program.name}.{mode}.pt".replace(" ", "_")
    report = file.with_suffix(".ampprof")
    ending = ending_of(pack.record(report, MODES[mode], command_of(pack, program, level_of(mode), file)), file)
    counts = pack.value(report, OF_AMPPROF), pack.value(report, OVERFLOWS)
    report.unlink(missing_ok=True)
    return ending, *counts


def level_of(mode):
    return "O0" if mode == "what-if" else "O1"


def difference(ending, alone):
    if ending.problem or alone.problem:
        return ending.problem or f"alone: {alone.problem}"
    if ending.out != alone.out:
        lines = zip(ending.out.splitlines(), alone.out.splitlines())
        return "stdout differs" + next((f": {a!r} instead of {b!r}" for a, b in lines if a != b), "")
    return "" if ending.state == alone.state != "" else "weights, buffers or generators differ"


def check(pack, verdicts, folder):
    verdicts.title("with and without ampprof, in six modes")
    jobs = max(1, min(4, (os.cpu_count() or 1) // 2))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        alone = {(program.name, level, turn): pool.submit(run_alone, pack, program, level, folder, turn)
                 for program in PROGRAMS for level in ("O0", "O1") for turn in (1, 2)}
        recorded = {(program.name, mode): pool.submit(run_recorded, pack, program, mode, folder)
                    for program in PROGRAMS for mode in MODES}
        for program in PROGRAMS:
            judge(verdicts, program, alone, recorded)


def judge(verdicts, program, alone, recorded):
    for level in ("O0", "O1"):
        first, second = (alone[program.name, level, turn].result() for turn in (1, 2))
        problem = difference(second, first)
        verdicts.check(not problem, f"{program.name} at {level} gives the same results twice without ampprof{said(problem)}")
    for mode in MODES:
        ending, own, overflows = recorded[program.name, mode].result()
        problem = difference(ending, alone[program.name, level_of(mode), 1].result())
        if not problem and own != 0:
            problem = f"{own} kinds of things that ampprof failed to look at"
        verdicts.check(not problem, f"{program.name}, {mode}: same results as without ampprof{said(problem)}")
        if mode == "fp32" and "--poison-step" in program.arguments:
            verdicts.at_least(overflows, 1, "forced overflows")


def said(problem):
    return f" ({problem})" if problem else ""

# SPDX-License-Identifier: Apache-2.0
"""Phase `cost`: the overhead of recording per step, and the read bandwidth of the error kernel."""
import json
import statistics
import time

from gpu_check import processes

NO_CUPTI = {"AMPPROF_CUPTI": "/nonexistent"}
# Mode: options, environment variables, and the goal as a multiple of the step time without ampprof.
MODES = {
    "off": (["--reference", "off"], NO_CUPTI, 1.1),
    "CUPTI": (["--reference", "off"], {}, 1.25),
    "reference": (["--no-inherited", "--no-impact"], {}, 4.0),
    "impact": (["--no-inherited", "--impact"], {}, 5.0),
}
MODELS = ("transformer", "cnn")
ROUNDS = 3
SHARE_OF_TIME = 0.7  # after this share of the phase's time limit, no further round begins
OF_COPY = 0.5, 1.5  # plausible bandwidths relative to a copy; a faster kernel cannot have read its input


def check(pack, verdicts, folder):
    check_bandwidth(pack, verdicts)
    if verdicts.check(pack.python is not None, "there is a Python with this LibTorch"):
        ends = time.monotonic() + SHARE_OF_TIME * verdicts.seconds
        for turn, model in enumerate(MODELS):
            left = (ends - time.monotonic()) / (len(MODELS) - turn)
            check_steps(pack, verdicts, folder, model, time.monotonic() + left)


def ms_of(found):
    """Returns (the milliseconds that a program printed, ""), or (None, the reason why they are missing)."""
    try:
        return float(json.loads(found.out.strip().splitlines()[-1])["ms"]), ""
    except (ValueError, KeyError, IndexError, TypeError):
        return None, found.why


def time_modes(pack, folder, command):
    """Runs one round. Returns ms_of() of a step without ampprof ("alone") and in each mode."""
    found = {"alone": ms_of(processes.run(command))}
    for mode, (options, variables, _) in MODES.items():
        found[mode] = ms_of(pack.record(folder / "cost.ampprof", options, command, variables=variables))
    return found


def check_steps(pack, verdicts, folder, model, ends):
    verdicts.title(f"a step of {model} in FP16, with and without ampprof in turn")
    command = pack.python_command("timed_training.py", model)
    rounds = []
    while len(rounds) < ROUNDS and (not rounds or time.monotonic() < ends):
        rounds.append(time_modes(pack, folder, command))
    alone = [each["alone"][0] for each in rounds]
    rows = [["alone", *summary(alone), None, None]] if all(alone) else []
    for mode, (_, _, most) in MODES.items():
        pairs = [(each[mode][0], each["alone"][0]) for each in rounds]
        ratios = [ms / plain for ms, plain in pairs if ms and plain]
        if len(ratios) < len(rounds):
            why = next(each[name][1] for each in rounds for name in ("alone", mode) if each[name][1])
            verdicts.check(False, f"{model}, {mode}: the step was timed ({why})")
            continue
        rows.append([mode, *summary([ms for ms, _ in pairs]), statistics.median(ratios), most])
    verdicts.table(["", "ms a step", "lowest", "highest", "times alone", "goal"], rows)
    for row in rows[1:]:
        verdicts.at_most(row[4], row[5], f"{model}, {row[0]}: step time relative to a step without ampprof")


def summary(values):
    return statistics.median(values), min(values), max(values)


def check_bandwidth(pack, verdicts):
    verdicts.title("read bandwidth of the error kernel, relative to a copy")
    found = processes.run([pack.program("bench_device_error")], timeout=100)
    verdicts.say(found.out)
    lines = [line.split() for line in found.out.splitlines() if line.startswith("of a copy ")]
    if not verdicts.check(found.code == 0 and bool(lines), f"bench_device_error runs ({found.why if found.code else 'exit code 0'})"):
        return
    for *name, share in lines:
        verdicts.check(OF_COPY[0] <= float(share) <= OF_COPY[1],
                       f"{' '.join(name[3:])}: {share} times the bandwidth of a copy, between {OF_COPY[0]} and {OF_COPY[1]}")

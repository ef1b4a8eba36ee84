# SPDX-License-Identifier: Apache-2.0
"""Phase `truth`: compares errors, times and loss impacts in reports with independent measurements."""
import json
import re
import statistics

from gpu_check import packed_tests, plausible, processes

ERRORS = """SELECT c.module AS name, sqrt(sum(o.sum_sq_error) / sum(o.sum_sq_reference)) AS error FROM op_total o
JOIN call_site c ON c.run = o.run AND c.id = o.call_site WHERE o.sum_sq_reference > 0 AND c.module <> '' GROUP BY c.module"""
KERNEL_TIME = """SELECT c.module AS name, sum(w.duration_ns) / 1e6 AS ms FROM gpu_activity_total w
JOIN call_site c ON c.run = w.run AND c.id = w.call_site WHERE w.kind = 0 GROUP BY c.module"""
SITE_ERRORS = """SELECT c.phase || ' ' || c.module || '/' || c.op || c.ordinal AS name,
sqrt(sum(o.sum_sq_error) / sum(o.sum_sq_reference)) AS error FROM op_total o
JOIN call_site c ON c.run = o.run AND c.id = o.call_site WHERE o.sum_sq_error > 0 AND c.phase IN (0, 1)
AND c.op IN ('linear', 'mm', 'addmm', 'bmm', 'baddbmm', 'conv2d', 'convolution_backward') GROUP BY 1"""
PREDICTED = """SELECT total(impact) AS impact, count(*) AS rows, total(gap NOT IN (0, 4)) AS gaps FROM loss_impact
WHERE segment = (SELECT max(segment) FROM loss_impact)"""
LAST_LOSS = "SELECT value FROM loss ORDER BY rowid DESC LIMIT 1"
FIRST_SHADOW = "SELECT shadow_value FROM loss ORDER BY rowid LIMIT 1"
BACKWARD_FOUND = """SELECT count(*) FROM gradient_impact g JOIN call_site c ON c.run = g.run AND c.id = g.call_site
WHERE g.impact IS NOT NULL AND c.op LIKE '%attention%'"""
TRUTH = re.compile(r"truth step \d+ +loss64 (\S+) +loss32 (\S+)")

MOST_OF_REFERENCE = {"fp32": 0.01, "fp64": 1e-6}  # TF32 in a reference would give about 0.4
MOST_OF_EVENTS = 0.05
MOST_OF_SHADOW = 0.02
MOST_OF_RECIPE = 1e-4  # allows for the order of summation; an unrounded operand would differ by LEAST_ROUNDED
LEAST_ROUNDED = 0.005
RECIPES = ("fp8_current", "fp8_delayed", "mxfp8", "nvfp4,nearest")
MOST_OF_EMULATION = 0.05
MOST_OF_IMPACT = 0.02
STEP = 20
SEEDS = 5
NOISE = 20  # compares only changes of the loss that are this many times larger than the change due to FP32


def check(pack, verdicts, folder):
    if verdicts.check(pack.python is not None, "there is a Python with this LibTorch"):
        for reference in MOST_OF_REFERENCE:
            check_references(pack, verdicts, folder, reference)
        check_attention(pack, verdicts, folder)
        check_recipes(pack, verdicts, folder)
        check_events(pack, verdicts, folder)
    check_emulation(pack, verdicts, folder)
    for sample in ("transformer", "mnist_cnn"):
        check_impact(pack, verdicts, folder, sample)
    plausible.check(pack, verdicts, folder)


def deviation(found, true):
    """Returns |found / true - 1|; None if either is not a number."""
    numbers = all(isinstance(each, (int, float)) for each in (found, true))
    return abs(found / true - 1) if numbers and true else None


def check_references(pack, verdicts, folder, reference):
    verdicts.title(f"local errors of a report with --reference {reference}, against FP64 on the CPU")
    report = folder / f"references.{reference}.ampprof"
    found = pack.record(report, ["--reference", reference], pack.python_command("references.py"))
    if not verdicts.check(found.code == 0, f"the program is recorded ({found.why})"):
        return
    true = json.loads(found.out)
    reported = {row["name"]: row["error"] for row in pack.query(report, ERRORS)}
    rows = [[name, reported.get(name), error, deviation(reported.get(name), error)] for name, error in true.items()]
    verdicts.table(["op", "in the report", "true", "deviation"], rows)
    for name, _, _, off in rows:
        verdicts.at_most(off, MOST_OF_REFERENCE[reference], f"{name}: deviation from the true error")


def check_attention(pack, verdicts, folder):
    verdicts.title("FlashAttention in BF16, whose kernel has no high precision, against FP32")
    report = folder / "attention.ampprof"
    found = pack.record(report, ["--every", "1", "--inherited", "--impact"], pack.python_command("attention.py"))
    if not verdicts.check(found.code == 0, f"the program is recorded ({found.why})"):
        return
    losses = json.loads(found.out)
    half, single = losses["half"], losses["single"]
    shadow = pack.value(report, FIRST_SHADOW)
    verdicts.table(["loss", "in BF16", "in FP32", "on the shadow"], [["first step", half, single, shadow]])
    off = abs(shadow - single) / abs(half - single) if shadow is not None and half != single else None
    verdicts.at_most(off, MOST_OF_SHADOW, "the shadow's loss: deviation from FP32, relative to BF16's")
    verdicts.at_least(pack.value(report, BACKWARD_FOUND), 1, "backward calls of attention with a known impact")


def check_recipes(pack, verdicts, folder):
    verdicts.title("a layer whose operands a recipe rounds, on the GPU against the CPU")
    rows = []
    for recipe in RECIPES:
        found = pack.record(folder / "recipe.ampprof", ["--reference", "off", "--recipe", recipe],
                            pack.python_command("recipe.py"))
        if verdicts.check(found.code == 0, f"{recipe}: the program runs ({found.why})"):
            rows.append({"recipe": recipe, **json.loads(found.out)})
    verdicts.table(list(rows[0]) if rows else [], [list(row.values()) for row in rows])
    for row in rows:
        largest = max(row[name] for name in ("output", "dx", "dw", "db"))
        verdicts.at_most(largest, MOST_OF_RECIPE, f"{row['recipe']}: largest distance from the CPU's results")
        verdicts.at_least(row["rounded"], LEAST_ROUNDED, f"{row['recipe']}: distance of the output from FP64")


def check_events(pack, verdicts, folder):
    verdicts.title("CUPTI's sums against CUDA events")
    report = folder / "events.ampprof"
    found = pack.record(report, ["--reference", "off"], pack.python_command("events.py"))
    if not verdicts.check(found.code == 0, f"the program is recorded ({found.why})"):
        return
    events = {name: ms for name, ms in json.loads(found.out).items() if not name.startswith("warm_")}
    kernels = {row["name"]: row["ms"] for row in pack.query(report, KERNEL_TIME)}
    rows = [[name, kernels.get(name), ms, deviation(kernels.get(name), ms)] for name, ms in events.items()]
    verdicts.table(["run of", "kernels, ms", "events, ms", "deviation"], rows)
    for name, _, _, off in rows:
        verdicts.at_most(off, MOST_OF_EVENTS, f"{name}: deviation")


def check_emulation(pack, verdicts, folder):
    verdicts.title("FP16 emulated on the CPU, against FP16 on the GPU")
    found = packed_tests.run(pack, "test.amp_core_torch", "emulation/against_cublas")
    packed_tests.check(verdicts, "matmuls, element by element", found)
    errors = {}
    for device in ("cpu", "cuda"):
        report = folder / f"transformer.{device}.ampprof"
        command = [pack.program("sample_transformer"), "--opt-level", "O1", "--steps", "2", "--device", device]
        found = pack.record(report, [], command)
        verdicts.check(found.code == 0, f"transformer on {device} is recorded ({found.why if found.code else 'exit code 0'})")
        errors[device] = {row["name"]: row["error"] for row in pack.query(report, SITE_ERRORS)}
    both = sorted(set(errors["cpu"]) & set(errors["cuda"]))
    off = [deviation(errors["cuda"][name], errors["cpu"][name]) for name in both]
    verdicts.at_least(len(both), 10, "call sites of matmuls in both reports")
    verdicts.at_most(statistics.median(off) if off else None, MOST_OF_EMULATION,
                     f"local errors of transformer: median deviation (largest {max(off, default=0):.3g})")


def check_impact(pack, verdicts, folder, sample):
    verdicts.title(f"loss impact of {sample} at O1 against the true change of the loss, step {STEP}")
    rows = []
    for seed in range(1, SEEDS + 1):
        report = folder / f"impact.{sample}.ampprof"
        command = [pack.program(f"sample_{sample}"), "--opt-level", "O1", "--seed", str(seed), "--device", "cuda",
                   "--steps", str(STEP), "--truth-step", str(STEP)]
        # Disables TF32, which would increase the noise of FP32.
        found = pack.record(report, ["--impact", "--reference", "fp64", "--steps", f"{STEP - 1}:{STEP}"], command,
                            variables={"NVIDIA_TF32_OVERRIDE": "0"})
        rows.append([seed, *impact_of(pack, report, found)])
    verdicts.table(["seed", "true", "predicted", "FP32's noise", "deviation"], rows)
    compared = [row[4] for row in rows if row[4] is not None and abs(row[1]) > NOISE * row[3]]
    verdicts.at_least(len(compared), 2, "seeds whose change is above the noise")
    verdicts.at_most(statistics.median(compared) if compared else None, MOST_OF_IMPACT, f"{sample}: median deviation")


def impact_of(pack, report, found):
    """Returns the true change of the loss, the predicted change, the noise of FP32 and the deviation; all None if one
    of them is unknown."""
    truth = TRUTH.search(found.out)
    predicted = (pack.query(report, PREDICTED) or [{"rows": 0}])[0]
    loss = pack.value(report, LAST_LOSS)
    if found.code != 0 or not truth or not predicted["rows"] or predicted["gaps"] or not isinstance(loss, (int, float)):
        return None, None, None, None
    exact, single = map(float, truth.groups())
    change = loss - exact
    return change, predicted["impact"], abs(single - exact), deviation(predicted["impact"], change)

# SPDX-License-Identifier: Apache-2.0
"""Checks whether reports of GPU work are plausible: resnet18 at O0 to O3, transformer at O0 and O1, char_lstm at O1."""
from gpu_check.smoke import WITHOUT_KERNEL

BUSY_TOO_LONG = "SELECT count(*) FROM run WHERE gpu_busy_ns > wall_ns"
SLOW_STEPS = """SELECT count(*) FROM (SELECT sum(p.activity_ns) AS work, max(s.end_ns) - min(s.start_ns) AS wall FROM call_chunk p
JOIN segment s ON s.run = p.run AND s.id = p.segment WHERE s.step > 2 GROUP BY p.run, s.step) WHERE work > 1.05 * wall"""
NOWHERE = """SELECT 1.0 * sum(duration_ns) FILTER (WHERE call_site = 0) / sum(duration_ns) FROM gpu_activity_total"""
TENSOR_CORE_INSTRUCTIONS = ("HMMA", "IMMA", "DMMA", "QMMA")
# Parts of the names of LibTorch kernels that never use Tensor Cores, since they compute no matmul.
SURELY_WITHOUT = ("elementwise_kernel", "reduce_kernel", "softmax", "layer_norm", "CatArray", "indexing", "multi_tensor_apply")


def check(pack, verdicts, folder):
    for sample, levels, steps in (("resnet18", "O0,O1,O2,O3", 10), ("transformer", "O0,O1", 6), ("char_lstm", "O1", 4)):
        report = folder / f"{sample}.ampprof"
        verdicts.title(f"plausibility of the report of {sample} at {levels}")
        command = [pack.program(f"sample_{sample}"), "--device", "cuda", "--steps", str(steps)]
        found = pack.record(report, ["--levels", levels], command, timeout=150)
        if verdicts.check(found.code == 0, f"it is recorded ({found.why if found.code else f'{found.seconds:.0f} s'})"):
            check_report(pack, verdicts, report, len(levels.split(",")))
            check_names(pack, verdicts, report)


def check_report(pack, verdicts, report, runs):
    verdicts.say(pack.text(report, "runs"))
    verdicts.at_least(pack.value(report, "SELECT count(*) FROM run WHERE gpu_busy_ns > 0"), runs, "runs with kernels")
    verdicts.at_most(pack.value(report, BUSY_TOO_LONG), 0, "runs in which a GPU was busy for longer than the run took")
    verdicts.at_most(pack.value(report, SLOW_STEPS), 0, "steps whose kernels took longer than the step")
    verdicts.at_most(pack.value(report, WITHOUT_KERNEL), 0, "call sites of matmuls without a kernel")
    verdicts.at_most(pack.value(report, NOWHERE) or 0, 0.05, "share of GPU time that belongs to no op call")


def check_names(pack, verdicts, report):
    """Checks what ampprof derives from kernel names: lists unknown names, and wrong claims about Tensor Cores."""
    kernels = [row for row in pack.show(report, "kernels") if row["activity"] == "kernel"]
    total = sum(row["gpu_us"] for row in kernels)
    unknown = [row for row in kernels if row["executed"] == "unknown"]
    verdicts.table(["unknown kernel", "of", "share"], sorted(
        ([row["kernel"][:90], row["call_site"], row["gpu_us"] / total] for row in unknown), key=lambda row: -row[2])[:20])
    verdicts.at_most(sum(row["gpu_us"] for row in unknown) / total if total else None, 0.05,
                     "share of GPU time in kernels of unknown names")
    wrong = [row for row in kernels if row["executed"] == "used" and any(word in row["mangled"] for word in SURELY_WITHOUT)]
    verdicts.at_most(len(wrong), 0, f"kernels reported to use Tensor Cores that cannot use them{names_of(wrong, 'kernel')}")
    verdicts_of = [row for row in pack.show(report, "tensor-cores") if row["tensor_core"] and row["tensor_core"]["executed"]]
    check_against_cublaslt(verdicts, verdicts_of)
    # Counts only matmuls of suitable sizes. Others may run without Tensor Cores: on an H100, cuDNN uses none for a
    # convolution of three channels.
    unused = [row for row in verdicts_of if row["level"] != "O0" and row["tensor_core"]["dtype_ok"]
              and row["tensor_core"]["rule_today"] == "efficient"
              and row["tensor_core"]["executed"] in ("not_used", "fp16_not_tc")]
    verdicts.at_most(len(unused), 0, f"matmuls that suit Tensor Cores but run without them{names_of(unused, 'call_site')}")


def check_against_cublaslt(verdicts, rows):
    """Checks that kernel names agree with cublasLt's choice on whether a matmul uses Tensor Cores."""
    asked = [row for row in rows if (row.get("cublaslt") or {}).get("instruction") and row["tensor_core"]["executed"] != "unknown"]
    wrong = [row for row in asked if (row["cublaslt"]["instruction"] in TENSOR_CORE_INSTRUCTIONS)
             != (row["tensor_core"]["executed"] == "used")]
    verdicts.check(bool(asked), f"cublasLt answered for GEMMs whose kernel is known: {len(asked)}")
    verdicts.at_most(len(wrong), 0, f"GEMMs whose kernel and cublasLt disagree on Tensor Cores{names_of(wrong, 'call_site')}")


def names_of(rows, key):
    return f" ({', '.join(row[key][:60] for row in rows[:5])})" if rows else ""

# SPDX-License-Identifier: Apache-2.0
"""Phase `probe`: `--probe` times matmuls in isolation, and cublasLt names its algorithm for each GEMM."""
BUDGET_S = 150
TIMED = "SELECT count(*) FROM probe_time WHERE device <> 'cpu' AND median_ns > 0"
UNTIMED = """SELECT count(*) FROM call_site c WHERE c.op IN ('conv2d', 'linear', 'mm', 'addmm', 'convolution_backward')
AND NOT EXISTS (SELECT 1 FROM op_variant v JOIN signature s ON s.run = v.run AND s.id = v.signature
JOIN probe_time p ON p.run = v.run AND p.op = c.op AND p.signature = s.text WHERE v.run = c.run AND v.call_site = c.id)"""
UNANSWERED = """SELECT count(*) FROM call_site c WHERE c.op IN ('linear', 'mm', 'addmm', 'bmm', 'baddbmm')
AND NOT EXISTS (SELECT 1 FROM op_variant v JOIN signature s ON s.run = v.run AND s.id = v.signature
JOIN probe_algorithm p ON p.run = v.run AND p.op = c.op AND p.signature = s.text AND p.numerics IS NOT NULL
WHERE v.run = c.run AND v.call_site = c.id)"""
SPREAD = "SELECT avg(spread_ns / median_ns) FROM probe_time"
WITHOUT_CLOCK = "SELECT count(*) FROM probe_time WHERE sm_mhz_before IS NULL OR sm_mhz_after IS NULL"
HALF_OVER_FLOAT = """SELECT sum(h.median_ns) / sum(f.median_ns) FROM probe_time h JOIN probe_time f ON f.run = h.run
AND f.op = h.op AND f.signature = h.signature AND f.dtype = h.dtype AND f.padded = 0 AND f.timed_dtype = 1 AND f.tf32 = 0
AND f.cudnn_benchmark IS h.cudnn_benchmark WHERE h.padded = 0 AND h.timed_dtype = 3"""


def check(pack, verdicts, folder):
    for sample, budget in (("resnet18", BUDGET_S), ("transformer", BUDGET_S // 3)):
        verdicts.title(f"{sample} at O0 and O1, then its matmuls alone")
        report = folder / f"{sample}.ampprof"
        options = ["--levels", "O0,O1", "--reference", "off", "--probe", "--probe-budget", str(budget)]
        command = [pack.program(f"sample_{sample}"), "--device", "cuda", "--steps", "10"]
        found = pack.record(report, options, command, timeout=budget + 80)
        if verdicts.check(found.code == 0, f"it is recorded ({found.why if found.code else f'{found.seconds:.0f} s'})"):
            verdicts.say(pack.text(report, "tensor-cores", "--run", "O1", "--limit", "40"))
            check_report(pack, verdicts, report)


def check_report(pack, verdicts, report):
    verdicts.at_least(pack.value(report, TIMED), 1, "timings of matmuls on the GPU")
    verdicts.at_most(pack.value(report, UNTIMED), 0, "call sites of matmuls without a timing")
    verdicts.at_most(pack.value(report, UNANSWERED), 0, "call sites of GEMMs without an answer from cublasLt")
    verdicts.at_most(pack.value(report, SPREAD), 0.1, "spread of the timings, on average")
    verdicts.at_most(pack.value(report, WITHOUT_CLOCK), 0, "timings without the GPU's clock")
    verdicts.at_most(pack.value(report, HALF_OVER_FLOAT), 1, "time of all matmuls in FP16, relative to FP32")

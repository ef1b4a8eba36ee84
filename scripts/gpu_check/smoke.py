# SPDX-License-Identifier: Apache-2.0
"""Phase `smoke`: basic functions, on which all other phases depend."""
import os
import shutil

from gpu_check import activity_dump, packed_tests, processes

OWN_FAILURES = "SELECT count(*) FROM missing WHERE what = 'what ampprof failed to look at'"
WITHOUT_KERNEL = """SELECT count(*) FROM op_total o JOIN call_site c ON c.run = o.run AND c.id = o.call_site
WHERE c.op IN ('conv2d', 'linear', 'mm', 'addmm', 'convolution_backward') AND NOT EXISTS (SELECT 1 FROM gpu_activity_total w
WHERE w.run = o.run AND w.call_site = o.call_site AND w.position = o.position AND w.kind = 0)"""


def check(pack, verdicts, folder):
    check_doctor(pack, verdicts)
    check_tests(pack, verdicts)
    check_mlp(pack, verdicts, folder)
    check_python(pack, verdicts, folder)
    check_sanitizer(pack, verdicts)  # last, since it takes as long as all the others


def check_doctor(pack, verdicts):
    verdicts.title("doctor")
    rows = pack.json([pack.ampprof, "doctor", "--format", "json"])
    verdicts.table(["check", "state", "finding"], [[row["check"], row["state"], row["finding"]] for row in rows])
    verdicts.check(bool(rows), "doctor answers")
    for row in rows:
        verdicts.check(row["state"] == "fine", f"{row['check']}: {row['state']}, {row['finding']}")


def check_tests(pack, verdicts):
    verdicts.title("tests, none of which may be skipped for lack of CUDA")
    for program, file in packed_tests.listed():
        packed_tests.check(verdicts, f"{program} {file}", packed_tests.run(pack, program, file))


def check_sanitizer(pack, verdicts):
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    sanitizer = shutil.which("compute-sanitizer") or shutil.which(f"{home}/bin/compute-sanitizer")
    verdicts.title("device results under compute-sanitizer")
    if not sanitizer:
        verdicts.say("skipped: there is no compute-sanitizer on PATH or in CUDA_HOME")
        return
    for tool in ("memcheck", "racecheck"):
        before = [sanitizer, "--tool", tool, "--error-exitcode", "99"]
        found = packed_tests.run(pack, "test.precision_torch", "tensors/deferred_reductions", before=before, timeout=150)
        packed_tests.check(verdicts, tool, found)


def check_mlp(pack, verdicts, folder):
    verdicts.title("mlp at O1")
    report = folder / "mlp.ampprof"
    found = pack.record(report, ["--levels", "O1"], [pack.program("sample_mlp"), "--device", "cuda", "--steps", "20"])
    if not verdicts.check(found.code == 0, f"mlp is recorded ({found.why if found.code else f'{found.seconds:.0f} s'})"):
        return
    verdicts.say(pack.text(report))
    verdicts.say(pack.text(report, "kernels", "--limit", "20"))
    check_gpu_figures(pack, verdicts, report)


def check_gpu_figures(pack, verdicts, report):
    """Checks facts that hold in the report of any program on a GPU."""
    run = (pack.query(report, "SELECT gpu_busy_ns, wall_ns FROM run") or [{}])[0]
    busy = run.get("gpu_busy_ns")
    verdicts.check(bool(busy), "kernels were recorded")
    verdicts.check(bool(busy) and busy <= run["wall_ns"], "the GPU was busy for no longer than the run took")
    verdicts.at_most(pack.value(report, WITHOUT_KERNEL), 0, "call sites of matmuls without a kernel")
    failures = pack.value(report, OWN_FAILURES)
    verdicts.at_most(failures, 0, "kinds of failures inside ampprof")
    for row in pack.query(report, "SELECT what, cause, count FROM missing"):
        verdicts.say(f"missing: {row['what']} ({row['count']}): {row['cause']}")


def check_python(pack, verdicts, folder):
    verdicts.title("a Python program, whose CUPTI records are kept as a fixture")
    if not verdicts.check(pack.python is not None, "there is a Python with this LibTorch"):
        return
    command = pack.python_command("cuda_train.py")
    dump, report = folder / "cuda_train.activities", folder / "cuda_train.ampprof"
    dump.unlink(missing_ok=True)
    plain = processes.run(command)
    watched = pack.record(report, ["--reference", "off"], command, variables={"AMPPROF_CUPTI_DUMP": str(dump)})
    verdicts.check(plain.code == 0, f"it runs alone ({plain.why if plain.code else plain.out.strip()})")
    verdicts.check(watched.code == 0 and watched.out == plain.out,
                   f"it prints the same output while it is recorded ({watched.why if watched.code else watched.out.strip()})")
    check_gpu_figures(pack, verdicts, report)
    check_dump(pack, verdicts, dump, report)


def check_dump(pack, verdicts, dump, report):
    try:
        counts = activity_dump.count_records(dump.read_bytes())
    except (OSError, ValueError) as error:
        verdicts.check(False, f"{dump.name} can be read: {error}")
        return
    verdicts.table(["CUPTI's kind", "records"], sorted(counts.items()))
    own = "SELECT sum(count) FROM gpu_activity_total WHERE kind = 0"
    kernels, in_report = counts[activity_dump.KERNEL], pack.value(report, own) or 0
    verdicts.check(0 < in_report <= kernels,
                   f"{dump.name} ({dump.stat().st_size} bytes) holds the report's kernels: {kernels} records, {in_report} in it")

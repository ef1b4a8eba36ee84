# SPDX-License-Identifier: Apache-2.0
"""Reads an exported log folder with TensorBoard itself, and compares it with the values in the report.
Run: read_tensorboard.py AMPPROF REPORT. The exit code is 77 if Python has no tensorboard."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.util import tensor_util
except ImportError:
    print("Python has no module tensorboard: pip install tensorboard")
    sys.exit(77)


SCALES = ("SELECT u.run, s.step, u.scale_before FROM scale_update u JOIN segment s ON s.run = u.run AND s.id = u.segment "
          "ORDER BY s.step")


def told(*command):
    return json.loads(subprocess.run([*command, "--format", "json"], check=True, capture_output=True).stdout)


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, not {expected!r}")


def as_float32(value):
    return tensor_util.make_tensor_proto([value], dtype="float32").float_val[0]


def check_run(events, run, scales):
    steps = [event.step for event in events.Scalars("step_ms")]
    expect("steps", steps, list(range(1, run["steps"] + 1)))
    expect("loss", events.Scalars("loss")[-1].value, as_float32(run["final_loss"]))
    if scales:
        expect("loss scale", [(event.step, event.value) for event in events.Scalars("loss_scale")],
               [(scale["step"], scale["scale_before"]) for scale in scales])
        expect("skipped steps", events.Scalars("skipped_steps")[-1].value, run["skipped_steps"])
    settings = tensor_util.make_ndarray(events.Tensors("run")[0].tensor_proto).item().decode()
    expect("settings", settings.splitlines()[0], f"- level: {run['level']}")
    expect("plugin", events.SummaryMetadata("run").plugin_data.plugin_name, "text")


def check_histograms(events):
    tags = events.Tags()["histograms"]
    expect("histograms", bool(tags), True)
    for tag in tags:
        histogram = events.Histograms(tag)[0].histogram_value
        expect(tag, sum(histogram.bucket), histogram.num)
        expect(tag, histogram.bucket_limit[-1], histogram.max)


def main(program, report):
    with tempfile.TemporaryDirectory() as folder:
        logs = pathlib.Path(folder, "logs")
        subprocess.run([program, "export", report, "--to", "tensorboard", "-o", logs], check=True)
        scales = told(program, "sql", report, SCALES)
        for run in told(program, "show", report, "runs"):
            events = EventAccumulator(str(logs / run["level"]))
            events.Reload()
            check_run(events, run, [scale for scale in scales if scale["run"] == run["run"]])
            check_histograms(events)


main(*sys.argv[1:])

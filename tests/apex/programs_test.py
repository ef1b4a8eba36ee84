# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of programs/ at every level, once with `apex` and once with PyTorch's own mixed precision instead.
"""

import contextlib
import functools
import io
import pathlib
import runpy
import subprocess
import sys
import types
import unittest
import unittest.mock

import torch
from apex import amp

FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py"))
LEVELS = ("O0", "O1", "O2", "O3")


class NativeScaleLoss:
    """Scales a loss like torch.amp.GradScaler, and skips a step whose gradients are not finite."""

    def __init__(self, loss, optimizers, loss_id=0, delay_unscale=False):
        self.optimizers = optimizers if isinstance(optimizers, list) else [optimizers]
        self.loss, self.scaler, self.delays = loss, Native.scalers[loss_id], delay_unscale

    def __enter__(self):
        for optimizer in self.optimizers:  # gradients of earlier losses are unscaled already, so they are set aside
            if optimizer not in Native.held:
                optimizer.earlier = [p.grad for g in optimizer.param_groups for p in g["params"]]
                optimizer.zero_grad()
        return self.scaler.scale(self.loss.float())

    def __exit__(self, *error):
        for optimizer in self.optimizers:
            Native.held.add(optimizer)
            if self.delays:
                continue
            self.scaler.unscale_(optimizer)
            if any(found.item() for found in self.scaler._found_inf_per_device(optimizer).values()):
                optimizer.must_skip = True
            parameters = [p for g in optimizer.param_groups for p in g["params"]]
            for parameter, earlier in zip(parameters, optimizer.earlier):
                if earlier is not None:
                    parameter.grad = earlier if parameter.grad is None else parameter.grad + earlier
            Native.held.discard(optimizer)
        if not self.delays:
            self.scaler.update()


class Native:
    """Replaces a program's `amp` by PyTorch's mixed precision."""

    scalers, held = [], set()

    @staticmethod
    def initialize(models, optimizers, num_losses=1, **options):
        Native.scalers = [torch.amp.GradScaler("cpu") for _ in range(num_losses)]
        for model in models if isinstance(models, list) else [models]:
            model.forward = torch.autocast("cpu", torch.float16)(model.forward)
        for optimizer in optimizers if isinstance(optimizers, list) else [optimizers]:
            Native.skip_steps_of(optimizer)
        return models, optimizers

    @staticmethod
    def skip_steps_of(optimizer):
        step = optimizer.step

        @functools.wraps(step)  # copies the mark that schedulers look for
        def step_or_skip(self):
            if not vars(self).pop("must_skip", False):
                step()

        optimizer.step = types.MethodType(step_or_skip, optimizer)


def native_amp():
    module = types.ModuleType("apex.amp")
    module.initialize, module.scale_loss, module.master_params = Native.initialize, NativeScaleLoss, amp.master_params
    module.float_function = lambda function: lambda x: function(x.float())
    module.register_float_function = lambda *names: None
    return module


def run(name, level):
    """Returns the variables of a program after it ran, and its output."""
    printed = io.StringIO()
    amp.shutdown()
    with contextlib.redirect_stdout(printed), unittest.mock.patch.object(sys, "argv", [name, "--opt_level", level]):
        variables = runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    return variables, printed.getvalue()


class Programs(unittest.TestCase):
    def test_every_program_trains_at_every_level(self):
        self.assertGreaterEqual(len(PROGRAMS), 9)
        for name in PROGRAMS:
            for level in LEVELS:
                with self.subTest(program=name, level=level):
                    variables, printed = run(name, level)
                    self.assertTrue(all(torch.tensor(variables["losses"]).isfinite()))
                    self.assertIn(f"Selected optimization level {level}:", printed)

    def test_losses_at_o1_are_those_of_pytorch_within_two_percent(self):
        for name in PROGRAMS:
            if name == "checkpoint":  # PyTorch stores this state in another form
                continue
            with self.subTest(program=name):
                ours = run(name, "O1")[0]["losses"]
                with unittest.mock.patch.dict(sys.modules, {"apex.amp": native_amp()}):
                    with unittest.mock.patch("apex.amp", sys.modules["apex.amp"]):
                        native = run_native(name)
                self.assertEqual(len(ours), len(native))
                for one, other in zip(ours, native):
                    self.assertAlmostEqual(one, other, delta=0.02 * abs(other) + 1e-3)

    def test_losses_at_o2_and_o3_are_near_those_of_fp32(self):
        for name in ("simple", "three_losses", "language_model", "imagenet"):
            exact = run(name, "O0")[0]["losses"]
            for level in ("O2", "O3"):
                with self.subTest(program=name, level=level):
                    found = run(name, level)[0]["losses"]
                    self.assertEqual(len(found), len(exact))
                    for one, other in zip(found, exact):
                        self.assertAlmostEqual(one, other, delta=0.01 * abs(other) + 1e-3)

    def test_a_resumed_run_goes_on_with_the_same_bits(self):
        for level in LEVELS:
            with self.subTest(level=level):
                variables, printed = run("checkpoint", level)
                self.assertEqual(variables["resumed"], variables["losses"])
                self.assertTrue(variables["same_weights"])
                self.assertEqual(printed.count("Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0"),
                                 level in ("O1", "O2"))

    def test_a_function_that_is_registered_runs_in_fp32(self):
        self.assertEqual(set(run("custom_function", "O1")[0]["seen"]), {torch.float32})
        self.assertEqual(set(run("custom_function", "O3")[0]["seen"]), {torch.float16})


def run_native(name):
    with contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch.object(sys, "argv", [name]):
        return runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")["losses"]


def losses_of_ranks(launcher, ranks, level):
    """Returns the losses of a distributed run, and whether all ranks have the same weights."""
    command = [sys.executable, "-m", *launcher, f"--nproc-per-node={ranks}", str(FOLDER / "imagenet.py"),
               "--opt-level", level, "--sync_bn"]
    # A thread of Gloo may abort while Python exits, after all output. So the output decides, not the exit code.
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line}
    if "losses" not in lines:
        raise AssertionError(done.stderr)
    return [float(word) for word in lines["losses"]], lines["ranks"] == ["agree", "True"]


class Ranks(unittest.TestCase):
    def test_ranks_of_both_launchers_train_as_one_process_does(self):
        for launcher, ranks, level in ((["torch.distributed.launch"], 2, "O2"),
                                       (["torch.distributed.run", "--standalone"], 4, "O1")):
            with self.subTest(launcher=launcher, ranks=ranks, level=level):
                losses, agree = losses_of_ranks(launcher, ranks, level)
                self.assertTrue(agree)
                alone = run("imagenet", level)[0]["losses"]
                self.assertEqual(len(losses), len(alone))
                for one, other in zip(losses, alone):
                    self.assertAlmostEqual(one, other, delta=1e-3 * other)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Runs small programs with remedies, each in its own process. Its argument is the folder of the hooks."""

import pathlib
import subprocess
import sys
import textwrap
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1))
BEGIN = f"""
import sys
sys.path.insert(0, {str(FOLDER)!r})
import ampprof_hooks, ampprof_remedies
name_given = ampprof_remedies.apply(sys.argv[1], ampprof_hooks._when_imported)
import torch
torch.manual_seed(0)
"""


def run(remedies, program):
    """Returns the words that a program prints with these remedies, and its stderr."""
    command = [sys.executable, "-B", "-c", BEGIN + textwrap.dedent(program), remedies]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return result.stdout.split(), result.stderr


class Remedies(unittest.TestCase):
    def test_the_loss_scale_begins_and_stays_as_it_is_told(self):
        program = """
            scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
            print(scaler.get_scale(), scaler.get_growth_interval())
        """
        out, err = run("init_scale=1024,no_scale_growth", program)
        self.assertEqual(out, ["1024.0", "2147483647"])
        self.assertEqual(err.count("had no effect"), 0)

    def test_a_static_scale_saves_small_gradients_and_changes_no_others(self):
        program = """
            net = torch.nn.Linear(4, 4)
            opt = torch.optim.SGD(net.parameters(), lr=0.0)
            for size in 1e-9, 1.0:
                for micro_batch in range(2):
                    with torch.autocast("cpu", dtype=torch.float16):
                        out = net(torch.ones(2, 4))
                    (out.float().sum() * size).backward()
                print(net.weight.grad.sum().item())
                opt.zero_grad()
        """
        (lost, plain), _ = run("eps=1", program)
        (saved, scaled), _ = run("loss_scale=16384", program)
        self.assertEqual(float(lost), 0.0)
        self.assertAlmostEqual(float(saved), 16 * 4 * 1e-9, delta=1e-10)
        self.assertEqual(scaled, plain)

    def test_eps_is_raised_and_never_lowered(self):
        program = """
            parameters = [torch.nn.Parameter(torch.ones(2))]
            for optimizer in (torch.optim.Adam(parameters), torch.optim.Adam(parameters, eps=1e-2),
                              torch.optim.SGD(parameters, lr=1.0)):
                print(optimizer.param_groups[0].get("eps"))
        """
        self.assertEqual(run("eps=1e-4", program)[0], ["0.0001", "0.01", "None"])

    def test_masters_take_small_updates_and_begin_anew_where_weights_are_written(self):
        program = """
            weight = torch.nn.Parameter(torch.ones(2, dtype=torch.bfloat16))
            opt = torch.optim.Adam([weight], lr=1e-4)
            def train():
                for _ in range(100):
                    weight.grad = torch.ones_like(weight)
                    opt.step()
                print(weight.dtype, weight[0].item(), opt.state[weight]["exp_avg"].dtype)
            train()
            weight.data.fill_(3.0)
            train()
        """
        out, err = run("master_weights", program)
        self.assertEqual(out, ["torch.bfloat16", "0.98828125", "torch.float32",
                               "torch.bfloat16", "2.984375", "torch.float32"])
        self.assertEqual(err.count("had no effect"), 0)

    def test_autocast_has_no_cache(self):
        program = """
            weight = torch.nn.Parameter(torch.ones(1, 1))
            with torch.autocast("cpu", dtype=torch.bfloat16):
                x = torch.ones(1, 1)
                torch.mm(x, weight)
                weight.data.fill_(2.0)
                print(torch.mm(x, weight).item())
        """
        self.assertEqual(run("no_cast_cache", program)[0], ["2.0"])

    def test_a_module_computes_in_fp32(self):
        program = """
            class Net(torch.nn.Sequential):
                pass
            net = Net(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
            seen = []
            name_given("1", net[1])
            net[1].register_forward_hook(lambda module, args, result: seen.extend([module.running_var.dtype, result.dtype]))
            net.half()(torch.ones(4, 2).half())
            net.float()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                net(torch.ones(4, 2))
            print(*seen)
        """
        out, _ = run("fp32_module=1", program)
        self.assertEqual(out, ["torch.float32", "torch.float16", "torch.float32", "torch.float32"])

    def test_gradients_are_unscaled_before_they_are_clipped(self):
        program = """
            weight = torch.nn.Parameter(torch.zeros(1))
            opt = torch.optim.SGD([weight], lr=1.0)
            scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
            for size in 0.5, float("inf"):
                opt.zero_grad()
                scaler.scale((weight * size).sum()).backward()
                torch.nn.utils.clip_grad_value_([weight], 1.0)
                scaler.step(opt)
                scaler.update()
                print(weight.item(), scaler.get_scale())
        """
        self.assertEqual(run("unscale_before_clip", program)[0], ["-0.5", "1024.0", "-0.5", "512.0"])

    def test_a_remedy_without_effect_says_so(self):
        _, err = run("init_scale=2,eps=1e-3,master_weights,no_cast_cache,unscale_before_clip,loss_scale=2,fp32_module=a", "pass")
        self.assertEqual(err.count("had no effect: "), 7, err)

    def test_a_module_that_is_not_there_may_have_a_like_name(self):
        _, err = run("fp32_module=decoder.nrm", "name_given('decoder.norm', torch.nn.Identity())")
        self.assertIn("called no module decoder.nrm; did you mean decoder.norm?", err)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Tests apex.amp with models and optimizers of a script, one behaviour per test."""

import collections
import copy
import types
import unittest
import unittest.mock

import torch
from apex import amp
from apex.optimizers import FusedSGD
from training import AmpTest, Holder, set_up, train


class Models(AmpTest):
    def test_o2_keeps_batch_norm_and_casts_the_rest(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
        model, _ = set_up("O2", model)
        self.assertEqual(model[0].weight.dtype, torch.float16)
        self.assertEqual(model[1].running_mean.dtype, torch.float32)

    def test_inputs_are_cast_in_containers_and_outputs_are_fp32(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(4, 2)

            def forward(self, named, *, pair, number):
                seen.extend([named["x"].dtype, pair[0].dtype, pair[1].dtype, number])
                return {"y": self.linear(named["x"]), "n": pair[1]}

        seen = []
        model, _ = set_up("O2", Net())
        outputs = model({"x": torch.ones(1, 4)}, pair=[torch.ones(1), torch.ones(1, dtype=torch.float64)], number=3)
        self.assertEqual(seen, [torch.float16, torch.float16, torch.float64, 3])
        self.assertEqual(outputs["y"].dtype, torch.float32)

    def test_every_container_is_looked_into_and_the_caller_keeps_its_own(self):
        x = torch.ones(1, 4)
        seen = []
        batch = collections.UserDict(x=x)
        model = Holder(lambda *values: seen.extend(values) or types.MappingProxyType({"y": x.half()}))
        amp.initialize(model, opt_level="O3", verbosity=0)
        self.assertEqual(model(collections.deque([x]), {x}, batch)["y"].dtype, torch.float32)
        self.assertEqual([seen[0][0].dtype, next(iter(seen[1])).dtype, seen[2]["x"].dtype], [torch.float16] * 3)
        self.assertEqual(batch["x"].dtype, torch.float32)

    def test_a_part_that_is_called_alone_says_what_to_do(self):
        model, _ = set_up("O2", torch.nn.Sequential(torch.nn.Linear(4, 4)))
        with self.assertRaisesRegex(RuntimeError, "call the whole model, which casts its inputs"):
            model[0](torch.ones(1, 4))

    def test_outputs_stay_half_where_the_script_wants_them(self):
        model, _ = set_up("O3", cast_model_outputs=torch.float16)
        self.assertEqual(model(torch.ones(1, 4)).dtype, torch.float16)

    def test_a_copy_runs_its_own_weights(self):
        model, _ = set_up("O2")
        other = copy.deepcopy(model)
        with torch.no_grad():
            other.weight.zero_()
            other.bias.zero_()
        self.assertEqual(other(torch.ones(1, 4)).abs().sum(), 0)
        self.assertNotEqual(model(torch.ones(1, 4)).abs().sum(), 0)
        self.assertEqual(other.state_dict()["weight"].dtype, torch.float32)

    def test_the_state_dict_has_the_masters_and_loads_into_them(self):
        model, optimizer = set_up("O2")
        train(model, optimizer, torch.randn(8, 4))
        state = model.state_dict()
        master = next(amp.master_params(optimizer))
        self.assertTrue(torch.equal(state["weight"], master))
        self.assertFalse(torch.equal(state["weight"], state["weight"].half().float()))
        exact = {name: tensor + 1e-5 for name, tensor in state.items()}
        model.load_state_dict(exact)
        self.assertTrue(torch.equal(master, exact["weight"]))
        self.assertTrue(torch.equal(model.weight, exact["weight"].half()))

    def test_parts_have_fp32_states_too_behind_any_prefix(self):
        inner = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
        model, optimizer = set_up("O2", inner)
        self.assertEqual(model[0].state_dict()["weight"].dtype, torch.float32)
        exact = torch.full((4, 4), 1.0 + 1e-5)
        model[0].load_state_dict({"weight": exact, "bias": torch.zeros(4)})
        self.assertTrue(torch.equal(next(amp.master_params(optimizer)), exact))
        wrapped = torch.nn.ModuleDict({"module": model})
        self.assertTrue(torch.equal(wrapped.state_dict()["module.0.weight"], exact))

    def test_weights_that_the_script_writes_reach_the_masters(self):
        model, optimizer = set_up("O2")
        train(model, optimizer, torch.randn(8, 4))
        with torch.no_grad():
            model.weight.fill_(3.0)
        optimizer.param_groups[0]["lr"] = 0.0
        train(model, optimizer, torch.randn(8, 4))
        self.assertEqual(model.weight.unique().tolist(), [3.0])

    def test_a_layer_that_is_unfrozen_gets_masters_and_trains(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2)).requires_grad_(False)
        model[1].requires_grad_()
        model, optimizer = set_up("O2", model)
        train(model, optimizer, torch.randn(8, 4))
        model[0].requires_grad_()
        before = model[0].weight.detach().clone()
        train(model, optimizer, torch.randn(8, 4))
        self.assertFalse(torch.equal(model[0].weight, before))
        self.assertEqual({master.dtype for master in amp.master_params(optimizer)}, {torch.float32})

    def test_an_encoder_runs_in_evaluation_at_o1(self):
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        model, _ = set_up("O1", torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.TransformerEncoder(layer, 1)))
        with torch.no_grad():
            self.assertEqual(model.eval()(torch.randn(2, 3, 8)).shape, (2, 3, 8))


class Optimizers(AmpTest):
    def test_masters_are_the_fp32_weights_with_their_state(self):
        model = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(model.parameters(), 0.5, momentum=0.9)
        model(torch.ones(1, 4)).sum().backward()
        optimizer.step()
        buffer = optimizer.state[model.weight]["momentum_buffer"]
        before = model.weight.detach().clone()
        set_up("O2", model, optimizer)
        master = next(amp.master_params(optimizer))
        self.assertTrue(torch.equal(master, before))
        self.assertIs(optimizer.state[master]["momentum_buffer"], buffer)

    def test_a_group_that_is_added_has_masters_and_trains(self):
        for fused in (False, True):
            with self.subTest(fused=fused):
                model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
                kind = FusedSGD if fused else torch.optim.SGD
                model, optimizer = set_up("O2", model, kind(model[0].parameters(), 0.5))
                train(model, optimizer, torch.randn(8, 4))
                optimizer.add_param_group({"params": list(model[1].parameters()), "lr": 0.25})
                before = model[1].weight.detach().clone()
                train(model, optimizer, torch.randn(8, 4))
                self.assertEqual([p.dtype for p in amp.master_params(optimizer)], [torch.float32] * 4)
                self.assertFalse(torch.equal(model[1].weight, before))
                amp.shutdown()

    def test_schedulers_hold_the_step_made_before_or_after(self):
        model = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(model.parameters(), 0.5)
        early = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
        model, optimizer = set_up("O2", model, optimizer)
        late = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
        with unittest.mock.patch("warnings.warn") as warned:
            train(model, optimizer, torch.randn(8, 4))
            early.step()
            late.step()
        warned.assert_not_called()
        self.assertEqual(optimizer.param_groups[0]["lr"], 0.125)

    def test_a_closure_is_refused_where_scales_change_and_runs_elsewhere(self):
        model, optimizer = set_up("O1")
        with self.assertRaisesRegex(RuntimeError, "closure"):
            optimizer.step(lambda: 1.0)
        amp.shutdown()
        model, optimizer = set_up("O0")
        self.assertEqual(optimizer.step(lambda: 1.0), 1.0)

    def test_an_argument_of_its_own_is_no_closure(self):
        class Scaled(torch.optim.SGD):
            def step(self, factor):
                self.seen = factor

        model = torch.nn.Linear(4, 2)
        _, optimizer = set_up("O1", model, Scaled(model.parameters(), 0.5))
        optimizer.step(2.0)
        self.assertEqual(optimizer.seen, 2.0)

    def test_a_step_inside_the_block_is_an_error(self):
        model, optimizer = set_up("O1")
        with self.assertRaisesRegex(RuntimeError, "after the block"), amp.scale_loss(model(torch.ones(1, 4)).sum(), optimizer) as scaled_loss:
            scaled_loss.backward()
            optimizer.step()

    def test_an_optimizer_of_the_script_is_stepped(self):
        class Halver(torch.optim.Optimizer):
            def __init__(self, params):
                super().__init__(params, {})

            def step(self):
                with torch.no_grad():
                    for group in self.param_groups:
                        for parameter in group["params"]:
                            parameter.mul_(0.5)

        model = torch.nn.Linear(4, 2)
        before = model.weight.detach().clone()
        model, optimizer = set_up("O2", model, Halver(model.parameters()))
        train(model, optimizer, torch.randn(8, 4))
        self.assertTrue(torch.equal(model.weight, (before / 2).half()))

    def test_zero_grad_drops_gradients_of_half_parameters_too(self):
        model, optimizer = set_up("O2")
        with amp.scale_loss(model(torch.ones(1, 4)).sum(), optimizer) as scaled_loss:
            scaled_loss.backward()
        self.assertIsNotNone(model.weight.grad)
        optimizer.zero_grad()
        self.assertIsNone(model.weight.grad)


if __name__ == "__main__":
    unittest.main()

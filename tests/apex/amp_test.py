# SPDX-License-Identifier: Apache-2.0
"""What apex.amp does with models, optimizers, losses and functions of a script, one behaviour a test."""

import contextlib
import copy
import io
import unittest
import unittest.mock

import torch
import torch.nn.functional as F
from apex import amp
from apex.amp import _amp_state
from apex.optimizers import FusedSGD

LEVELS = ("O0", "O1", "O2", "O3")


class AmpTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.addCleanup(amp.shutdown)


def set_up(level="O1", model=None, optimizer=None, **options):
    model = torch.nn.Linear(4, 2) if model is None else model
    optimizer = torch.optim.SGD(model.parameters(), 0.5) if optimizer is None else optimizer
    return amp.initialize(model, optimizer, opt_level=level, verbosity=0, **options)


def train(model, optimizer, inputs, factor=1.0):
    optimizer.zero_grad()
    loss = model(inputs).float().pow(2).mean() * factor
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    optimizer.step()
    return loss.item()


def output_of(call):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        call()
    return printed.getvalue()


class Initialize(AmpTest):
    def test_returns_what_it_got_in_the_same_shape(self):
        one, two = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(one.parameters(), 0.1)
        models, optimizers = amp.initialize([one, two], [optimizer], opt_level="O0", verbosity=0)
        self.assertIs(models[1], two)
        self.assertIs(optimizers[0], optimizer)
        amp.shutdown()
        self.assertIs(amp.initialize(one, opt_level="O0", verbosity=0), one)

    def test_prints_the_options_as_apex_does_to_sys_stdout(self):
        model = torch.nn.Linear(2, 2)
        printed = output_of(lambda: amp.initialize(model, torch.optim.SGD(model.parameters(), 0.1), opt_level="O2"))
        self.assertIn("Selected optimization level O2:  ", printed)
        self.assertIn("keep_batchnorm_fp32    : True\n", printed)
        self.assertIn("loss_scale             : dynamic\n", printed)

    def test_words_of_command_lines_are_options(self):
        set_up("O2", keep_batchnorm_fp32="False", loss_scale="128.0")
        self.assertEqual(amp.state_dict()["loss_scaler0"]["loss_scale"], 128.0)

    def test_wrong_use_is_an_error_with_a_sentence(self):
        model = torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        cases = [
            (dict(opt_level="O4"), RuntimeError, "O4"),
            (dict(opt_level="O1", keep_batchnorm_fp32=True), RuntimeError, "keep_batchnorm_fp32"),
            (dict(opt_level="O1", cast_model_type=torch.float16), RuntimeError, "cast_model_type"),
            (dict(opt_level="O2", loss_scale="often"), RuntimeError, "often"),
            (dict(opt_level="O2", cast_model_type=torch.int32), RuntimeError, "torch.int32"),
        ]
        for options, kind, word in cases:
            with self.subTest(options), self.assertRaises(kind) as raised:
                amp.initialize(model, optimizer, **options)
            self.assertIn(word, str(raised.exception))
            self.assertNotIn("::", str(raised.exception))
        with self.assertRaisesRegex(TypeError, "models must be"):
            amp.initialize("model", optimizer)
        with self.assertRaisesRegex(TypeError, "optimizers must be"):
            amp.initialize(model, model)
        self.assertEqual(model.weight.dtype, torch.float32)

    def test_a_model_that_is_half_wrapped_or_known_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "Pass the model in FP32"):
            set_up("O2", torch.nn.Linear(2, 2).half())
        with self.assertRaisesRegex(RuntimeError, "data parallelism"):
            set_up("O2", torch.nn.DataParallel(torch.nn.Linear(2, 2)))
        model, optimizer = set_up("O1")
        with self.assertRaisesRegex(RuntimeError, "set up already"):
            set_up("O1", model, optimizer)
        with self.assertRaisesRegex(RuntimeError, "in force"):
            set_up("O2")

    def test_a_parameter_that_is_double_is_refused_by_its_optimizer(self):
        with self.assertRaisesRegex(RuntimeError, "Double"):
            set_up("O1", torch.nn.Linear(2, 2).double())

    def test_disabled_changes_nothing(self):
        model, optimizer = set_up("O2", enabled=False)
        self.assertEqual(model.weight.dtype, torch.float32)
        loss = model(torch.ones(1, 4)).sum()
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            self.assertIs(scaled_loss, loss)
        self.assertEqual(amp.state_dict(), {})

    def test_scale_loss_before_it_is_an_error(self):
        with self.assertRaisesRegex(RuntimeError, "before amp.initialize"):
            amp.scale_loss(torch.ones(()), None)


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


class Optimizers(AmpTest):
    def test_masters_are_the_fp32_weights_with_their_state(self):
        model = torch.nn.Linear(4, 2)
        before = model.weight.detach().clone()
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
        with self.assertNoLogs(), unittest.mock.patch("warnings.warn") as warned:
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


class ScaleLoss(AmpTest):
    def test_scales_the_loss_and_unscales_the_gradients(self):
        for level in LEVELS:
            with self.subTest(level=level):
                torch.manual_seed(0)
                model, optimizer = set_up(level)
                loss = model(torch.ones(1, 4)).float().mean()
                with amp.scale_loss(loss, optimizer) as scaled_loss:
                    self.assertEqual(scaled_loss / loss, 65536.0 if level in ("O1", "O2") else 1.0)
                    scaled_loss.backward()
                self.assertEqual(next(amp.master_params(optimizer)).grad.tolist(), [[0.5] * 4] * 2)
                amp.shutdown()

    def test_an_overflow_skips_the_step_of_its_optimizers_alone(self):
        one, two = torch.nn.Linear(4, 2), torch.nn.Linear(4, 2)
        optimizers = [torch.optim.SGD(each.parameters(), 0.5) for each in (one, two)]
        amp.initialize([one, two], optimizers, opt_level="O2", num_losses=2, verbosity=0)
        before = [one.weight.detach().clone(), two.weight.detach().clone()]
        for number, (model, factor) in enumerate([(one, 1e30), (two, 1.0)]):
            loss = model(torch.ones(1, 4)).mean() * factor
            with amp.scale_loss(loss, optimizers[number], loss_id=number) as scaled_loss:
                scaled_loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        self.assertTrue(torch.equal(one.weight, before[0]))
        self.assertFalse(torch.equal(two.weight, before[1]))
        scales = [scaler.loss_scale() for scaler in _amp_state._amp_state.loss_scalers]
        self.assertEqual(scales, [32768.0, 65536.0])

    def test_says_that_it_skips_in_the_words_of_apex(self):
        model = torch.nn.Linear(4, 2)
        model, optimizer = amp.initialize(model, torch.optim.SGD(model.parameters(), 0.5), opt_level="O1")
        printed = output_of(lambda: train(model, optimizer, torch.ones(1, 4), factor=1e38))
        self.assertEqual(printed, "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0\n")

    def test_a_backward_that_raises_leaves_gradients_as_they_were(self):
        model, optimizer = set_up("O1")
        train(model, optimizer, torch.ones(1, 4))
        before = model.weight.grad.clone()
        with self.assertRaises(ZeroDivisionError), amp.scale_loss(model(torch.ones(1, 4)).sum(), optimizer) as scaled_loss:
            scaled_loss.backward()
            1 / 0
        self.assertTrue(torch.equal(model.weight.grad, before))
        self.assertEqual(amp.state_dict()["loss_scaler0"]["unskipped"], 1)

    def test_delayed_passes_add_up(self):
        for level in LEVELS:
            with self.subTest(level=level):
                model, optimizer = set_up(level)
                for delays in (True, True, False):
                    loss = model(torch.ones(1, 4)).float().mean() / 2
                    with amp.scale_loss(loss, optimizer, delay_unscale=delays) as scaled_loss:
                        scaled_loss.backward()
                self.assertEqual(next(amp.master_params(optimizer)).grad.tolist(), [[0.75] * 4] * 2)
                amp.shutdown()

    def test_an_unknown_optimizer_or_loss_is_an_error(self):
        model, optimizer = set_up("O1")
        loss = model(torch.ones(1, 4)).sum()
        with self.assertRaisesRegex(RuntimeError, "not passed to amp.initialize"):
            amp.scale_loss(loss, torch.optim.SGD(model.parameters(), 0.1)).__enter__()
        with self.assertRaisesRegex(RuntimeError, "loss_id 2"):
            amp.scale_loss(loss, optimizer, loss_id=2).__enter__()
        with self.assertRaisesRegex(TypeError, "takes a tensor"):
            amp.scale_loss(1.0, optimizer)


class Functions(AmpTest):
    def test_o1_casts_functions_as_its_lists_say(self):
        set_up("O1")
        x = torch.randn(4, 4)
        half = x.half()
        self.assertEqual(F.linear(x, x).dtype, torch.float16)
        self.assertEqual((half @ x).dtype, torch.float16)
        self.assertEqual(F.softmax(half, -1).dtype, torch.float32)
        self.assertEqual(half.pow(2).dtype, torch.float32)
        self.assertEqual(torch.cat([half, x]).dtype, torch.float32)
        self.assertEqual(torch.relu(half).dtype, torch.float16)
        with self.assertRaises(NotImplementedError):
            F.binary_cross_entropy(half.float().sigmoid().half(), half)

    def test_a_function_of_torch_that_is_registered_follows(self):
        amp.register_half_function(torch, "sigmoid")
        amp.register_float_function(torch.nn.functional, "linear")
        amp.register_float_function(torch.Tensor, "__matmul__")
        set_up("O1")
        x = torch.randn(4, 4)
        self.assertEqual(torch.sigmoid(x).dtype, torch.float16)
        self.assertEqual(F.linear(x, x).dtype, torch.float32)
        self.assertEqual((x @ x).dtype, torch.float32)

    def test_a_function_of_the_script_that_is_registered_is_wrapped_at_o1_alone(self):
        class Module:
            @staticmethod
            def work(x, scale):
                return x.dtype, scale["by"].dtype

        for level, expected in (("O0", (torch.float16, torch.float32)), ("O1", (torch.float32, torch.float32))):
            original = Module.work
            amp.register_float_function(Module, "work")
            set_up(level)
            self.assertEqual(Module.work(torch.ones(1).half(), {"by": torch.ones(1)}), expected)
            amp.shutdown()
            self.assertEqual(Module.work(torch.ones(1).half(), {"by": torch.ones(1)})[0], torch.float16)
            Module.work = staticmethod(original)

    def test_decorated_functions_cast_while_casts_are_in_force(self):
        @amp.half_function
        def low(x):
            return x.dtype

        @amp.promote_function
        def widest(x, y):
            return x.dtype, y.dtype

        x = torch.ones(1)
        self.assertEqual(low(x), torch.float32)
        set_up("O1")
        self.assertEqual(low(x), torch.float16)
        self.assertEqual(widest(x, x.half()), (torch.float32, torch.float32))
        self.assertEqual(widest(x.half(), x.half()), (torch.float16, torch.float16))
        with amp.disable_casts():
            self.assertEqual(low(x), torch.float32)

    def test_a_name_that_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "No function named nothing"):
            amp.register_half_function(torch, "nothing")

    def test_registering_after_initialize_is_an_error(self):
        set_up("O1")
        with self.assertRaisesRegex(RuntimeError, "too late"):
            amp.register_float_function(torch, "sigmoid")


class State(AmpTest):
    def test_has_the_entries_of_apex_and_loads_them(self):
        model, optimizer = set_up("O2", num_losses=2)
        train(model, optimizer, torch.ones(1, 4), factor=1e38)
        state = amp.state_dict()
        self.assertEqual(dict(state["loss_scaler0"]), {"loss_scale": 32768.0, "unskipped": 0})
        self.assertEqual(list(state), ["loss_scaler0", "loss_scaler1"])
        state["loss_scaler1"] = {"loss_scale": 256.0, "unskipped": 7}
        amp.load_state_dict(state)
        self.assertEqual(amp.state_dict(), state)

    def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(self):
        set_up("O2")
        before = amp.state_dict()
        with self.assertRaises(RuntimeError):
            amp.load_state_dict({"loss_scaler0": {"loss_scale": 8.0, "unskipped": 0}, "loss_scaler1": {"loss_scale": 8.0, "unskipped": 0}})
        self.assertEqual(amp.state_dict(), before)


if __name__ == "__main__":
    unittest.main()

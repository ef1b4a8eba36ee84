# SPDX-License-Identifier: Apache-2.0
"""Tests apex.amp with options, losses, functions and checkpoints of a script, one behaviour per test."""

import gc
import io
import unittest
import weakref

import torch
import torch.nn.functional as F
from apex import amp
from training import LEVELS, AmpTest, output_of, set_up, train


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
        with self.assertRaisesRegex(RuntimeError, "already set up"):
            set_up("O1", model, optimizer)
        with self.assertRaisesRegex(RuntimeError, "in force"):
            set_up("O2")
        other = torch.nn.Linear(2, 2)
        with self.assertRaisesRegex(RuntimeError, "the same model twice"):
            amp.initialize([other, other], opt_level="O1", verbosity=0)

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

    def test_enabled_is_what_python_takes_for_true(self):
        for enabled in (None, 0, False):
            model, _ = set_up("O2", enabled=enabled)
            self.assertEqual(model.weight.dtype, torch.float32)
        model, _ = set_up("O2", enabled=1)
        self.assertEqual(model.weight.dtype, torch.float16)
        with self.assertRaisesRegex(RuntimeError, "amp.shutdown"):
            set_up("O2", enabled=False)

    def test_models_and_optimizers_are_as_they_were_after_shutdown(self):
        model, optimizer = set_up("O1")
        amp.shutdown()
        self.assertNotIn("forward", vars(model))
        self.assertNotIn("step", vars(optimizer))
        for level in ("O1", "O2"):
            set_up(level, model, optimizer)
            before = next(amp.master_params(optimizer)).detach().clone()
            train(model, optimizer, torch.randn(8, 4))
            self.assertFalse(torch.equal(next(amp.master_params(optimizer)), before))
            amp.shutdown()

    def test_what_the_script_drops_is_freed(self):
        model, optimizer = set_up("O2")
        train(model, optimizer, torch.randn(8, 4))
        master = weakref.ref(next(amp.master_params(optimizer)))
        del model, optimizer
        gc.collect()
        self.assertIsNone(master())

    def test_scale_loss_before_it_is_an_error(self):
        with self.assertRaisesRegex(RuntimeError, "before amp.initialize"):
            amp.scale_loss(torch.ones(()), None).__enter__()
        with self.assertRaisesRegex(RuntimeError, "before amp.initialize"):
            amp.load_state_dict({})


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
        scales = [scaler.loss_scale() for scaler in amp._amp_state.loss_scalers]
        self.assertEqual(scales, [32768.0, 65536.0])

    def test_says_that_it_skips_in_the_words_of_apex(self):
        model = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(model.parameters(), 0.5)
        output_of(lambda: amp.initialize(model, optimizer, opt_level="O1"))
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
        with self.assertRaisesRegex(NotImplementedError, r"register_float_function\(torch, \"sigmoid\"\)") as raised:
            F.binary_cross_entropy(half.float().sigmoid().half(), half)
        self.assertNotIn("torch::", str(raised.exception))

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
        with self.assertRaisesRegex(RuntimeError, "too late"):
            amp.register_float_function(io, "StringIO")


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

    def test_scripts_set_the_scale_of_a_loss(self):
        model, optimizer = set_up("O2", num_losses=2)
        amp._amp_state.loss_scalers[1]._loss_scale = 2**20
        self.assertEqual([scaler._loss_scale for scaler in amp._amp_state.loss_scalers], [65536.0, 2.0**20])
        self.assertEqual(amp._amp_state.loss_scalers[0]._unskipped, 0)

    def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(self):
        set_up("O2")
        before = amp.state_dict()
        with self.assertRaises(RuntimeError):
            amp.load_state_dict({"loss_scaler0": {"loss_scale": 8.0, "unskipped": 0}, "loss_scaler1": {"loss_scale": 8.0, "unskipped": 0}})
        self.assertEqual(amp.state_dict(), before)


if __name__ == "__main__":
    unittest.main()

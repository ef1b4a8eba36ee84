# SPDX-License-Identifier: Apache-2.0
"""Compares fused optimizers, norms and operations on lists of tensors with those of PyTorch."""

import copy
import pickle
import unittest

import amp_C
import torch
from apex import amp, fp16_utils
from apex.multi_tensor_apply import multi_tensor_applier
from apex.normalization import FusedLayerNorm, FusedRMSNorm, MixedFusedLayerNorm, MixedFusedRMSNorm
from apex.optimizers import FusedAdagrad, FusedAdam, FusedLAMB, FusedNovoGrad, FusedSGD

SHAPES = [(40, 10), (10,), (0,), (3, 5, 7)]


def parameters():
    torch.manual_seed(0)
    return [torch.nn.Parameter(torch.randn(shape)) for shape in SHAPES]


def steps(optimizer, tensors, count=7):
    torch.manual_seed(1)
    for _ in range(count):
        for tensor in tensors:
            tensor.grad = torch.randn_like(tensor)
        optimizer.step()


class Optimizers(unittest.TestCase):
    def test_steps_are_those_of_pytorch(self):
        pairs = [
            (lambda p: FusedAdam(p, 1e-2, weight_decay=0.1), lambda p: torch.optim.AdamW(p, 1e-2, weight_decay=0.1)),
            (lambda p: FusedAdam(p, 1e-2, weight_decay=0.1, adam_w_mode=False), lambda p: torch.optim.Adam(p, 1e-2, weight_decay=0.1)),
            (lambda p: FusedSGD(p, 1e-2, momentum=0.9, nesterov=True), lambda p: torch.optim.SGD(p, 1e-2, momentum=0.9, nesterov=True)),
            (lambda p: FusedAdagrad(p, 1e-2), lambda p: torch.optim.Adagrad(p, 1e-2)),
        ]
        for fused, plain in pairs:
            ours, theirs = parameters(), parameters()
            steps(fused(ours), ours)
            steps(plain(theirs), theirs)
            for one, other in zip(ours, theirs):
                torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)

    def test_lamb_and_novograd_move_every_parameter(self):
        for kind in (FusedLAMB, FusedNovoGrad):
            ours = parameters()
            steps(kind(ours, lr=1e-2), ours)
            for one, before in zip(ours, parameters()):
                self.assertEqual(one.numel() == 0, torch.equal(one, before))

    def test_a_scheduler_changes_the_rate_of_a_group(self):
        ours = parameters()
        optimizer = FusedSGD([{"params": ours[:1]}, {"params": ours[1:], "lr": 0.0}], lr=1.0)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.0)
        steps(optimizer, ours, 1)
        moved = [not torch.equal(one, before) for one, before in zip(ours, parameters())]
        self.assertEqual(moved, [True, False, False, False])
        scheduler.step()
        here = ours[0].detach().clone()
        steps(optimizer, ours, 1)
        self.assertTrue(torch.equal(ours[0], here))

    def test_a_resumed_optimizer_has_the_same_bits(self):
        kinds = (FusedAdam, lambda p: FusedSGD(p, 1e-2, momentum=0.9), FusedLAMB, FusedNovoGrad, FusedAdagrad)
        for kind in kinds:
            ours = parameters()
            optimizer = kind(ours)
            steps(optimizer, ours, 3)
            again = [torch.nn.Parameter(one.detach().clone()) for one in ours]
            resumed = kind(again)
            resumed.load_state_dict(copy.deepcopy(optimizer.state_dict()))
            steps(optimizer, ours, 2)
            steps(resumed, again, 2)
            for one, other in zip(ours, again):
                self.assertTrue(torch.equal(one, other))

    def test_loads_what_apex_saved_which_counts_steps_in_groups(self):
        ours = parameters()
        optimizer = FusedAdam(ours, 1e-2)
        steps(optimizer, ours, 3)
        state = copy.deepcopy(optimizer.state_dict())
        for each in state["state"].values():
            each.pop("step", None)  # empty parameters have no state
        state["param_groups"][0]["step"] = 3
        del state["param_groups"][0]["adam_w_mode"]  # Apex stores it in the optimizer, not in the state
        again = [torch.nn.Parameter(one.detach().clone()) for one in ours]
        resumed = FusedAdam(again, 1e-2)
        resumed.load_state_dict(state)
        steps(optimizer, ours, 1)
        steps(resumed, again, 1)
        self.assertTrue(torch.equal(ours[0], again[0]))

    def test_half_parameters_keep_the_bits_of_moments_through_a_checkpoint(self):
        ours = [torch.nn.Parameter(torch.ones(8).half())]
        optimizer = FusedAdam(ours, 1e-2)
        steps(optimizer, ours, 2)
        before = optimizer.state[ours[0]]["exp_avg"].clone()
        optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))
        self.assertTrue(torch.equal(optimizer.state[ours[0]]["exp_avg"], before))
        self.assertEqual(before.dtype, torch.float32)

    def test_a_state_that_is_loaded_empty_begins_anew(self):
        ours = parameters()
        optimizer = FusedAdam(ours, 1e-2)
        empty = copy.deepcopy(optimizer.state_dict())
        steps(optimizer, ours)
        optimizer.load_state_dict(empty)
        again = [torch.nn.Parameter(one.detach().clone()) for one in ours]
        steps(optimizer, ours, 1)
        steps(FusedAdam(again, 1e-2), again, 1)
        self.assertTrue(torch.equal(ours[0], again[0]))

    def test_masters_that_a_script_puts_into_groups_are_updated(self):
        model = torch.nn.Parameter(torch.ones(4).half())
        optimizer = FusedAdam([model], 1e-2)
        master = model.detach().float().requires_grad_()
        optimizer.param_groups[0]["params"][0] = master
        master.grad = torch.ones(4)
        optimizer.step()
        torch.testing.assert_close(master.detach(), torch.full((4,), 0.99))

    def test_copies_and_pickles_go_on_by_themselves(self):
        for again_of in (copy.deepcopy, lambda optimizer: pickle.loads(pickle.dumps(optimizer))):
            ours = parameters()
            optimizer = FusedAdam(ours, 1e-2)
            steps(optimizer, ours, 2)
            again = again_of(optimizer)
            theirs = again.param_groups[0]["params"]
            steps(optimizer, ours, 2)
            steps(again, theirs, 2)
            again.zero_grad()
            self.assertTrue(torch.equal(ours[0], theirs[0]))

    def test_wrong_options_are_errors(self):
        with self.assertRaisesRegex(RuntimeError, "AMSGrad"):
            FusedAdam(parameters(), amsgrad=True)
        with self.assertRaisesRegex(RuntimeError, "betas"):
            FusedAdam(parameters(), betas=(1.5, 0.9))
        optimizer = FusedSGD(parameters()[:1], 0.1)
        with self.assertRaisesRegex(RuntimeError, "weight_decay"):
            optimizer.add_param_group({"params": parameters()[1:], "weight_decay": -1})
        self.assertEqual(len(optimizer.param_groups), 1)
        with self.assertRaisesRegex(RuntimeError, "not a checkpoint of ampprof's FusedNovoGrad"):
            ours = parameters()
            state = FusedNovoGrad(ours).state_dict()
            state["state"] = {0: {"exp_avg": torch.zeros(40, 10)}}
            FusedNovoGrad(ours).load_state_dict(state)

    def test_options_may_be_what_files_and_libraries_give(self):
        ours = parameters()
        optimizer = FusedAdam(ours, lr=torch.tensor(0.01), betas=[0.9, 0.98], bias_correction=1)
        steps(optimizer, ours, 1)
        self.assertFalse(torch.equal(ours[0], parameters()[0]))


class Norms(unittest.TestCase):
    def test_are_those_of_pytorch_in_the_type_that_the_name_says(self):
        torch.manual_seed(0)
        x = torch.randn(5, 3, 8)
        for kind, expected in ((FusedLayerNorm, torch.nn.LayerNorm(8)), (FusedRMSNorm, torch.nn.RMSNorm(8, eps=1e-5))):
            torch.testing.assert_close(kind(8)(x), expected(x))
            self.assertEqual(kind(8)(x.half()).dtype, torch.float16)
        for kind in (MixedFusedLayerNorm, MixedFusedRMSNorm):
            self.assertEqual(kind(8)(x.half()).dtype, torch.float32)
            self.assertEqual(kind((3, 8), elementwise_affine=False)(x.half()).dtype, torch.float16)


class Lists(unittest.TestCase):
    def test_scale_axpby_and_norm(self):
        flag = torch.zeros(1, dtype=torch.int32)
        x, y = [torch.ones(4), torch.full((2,), 3.0)], [torch.ones(4), torch.ones(2)]
        out = [torch.empty(4).half(), torch.empty(2)]
        multi_tensor_applier(amp_C.multi_tensor_scale, flag, [x, out], 2.0)
        self.assertEqual((out[0].tolist(), out[1].tolist(), flag.item()), ([2.0] * 4, [6.0] * 2, 0))
        multi_tensor_applier(amp_C.multi_tensor_axpby, flag, [x, y, y], 1.0, 10.0, -1)
        self.assertEqual((y[1].tolist(), flag.item()), ([13.0] * 2, 0))
        total, each = multi_tensor_applier(amp_C.multi_tensor_l2norm, flag, [x], True)
        torch.testing.assert_close(total, torch.tensor([22.0]).sqrt())
        torch.testing.assert_close(each, torch.tensor([4.0, 18.0]).sqrt())
        x[1][0] = float("inf")
        multi_tensor_applier(amp_C.multi_tensor_scale, flag, [x, out], 2.0)
        self.assertEqual(flag.item(), 1)


class Fp16Utils(unittest.TestCase):
    def test_a_network_becomes_half_but_for_batch_norm(self):
        net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
        half = fp16_utils.network_to_half(net)
        self.assertEqual(half(torch.randn(3, 4)).dtype, torch.float16)
        self.assertEqual(net[1].weight.dtype, torch.float32)

    def test_masters_take_gradients_and_give_values(self):
        for flat in (False, True):
            model = torch.nn.Linear(4, 2).half()
            models, masters = fp16_utils.prep_param_lists(model, flat)
            model(torch.ones(1, 4).half()).sum().backward()
            fp16_utils.model_grads_to_master_grads(models, masters, flat)
            with torch.no_grad():
                for master in masters:
                    master -= master.grad
            before = model.bias.detach().clone()
            fp16_utils.master_params_to_model_params(models, masters, flat)
            self.assertTrue(torch.equal(model.bias, (before.float() - 1).half()))

    def test_an_optimizer_scales_the_loss_and_keeps_masters(self):
        for dynamic in (False, True):
            self.addCleanup(amp.shutdown)
            torch.manual_seed(0)
            model = torch.nn.Linear(4, 2).half()
            before = model.weight.detach().float()
            inner = torch.optim.SGD(model.parameters(), 0.25)
            optimizer = fp16_utils.FP16_Optimizer(inner, static_loss_scale=128.0, dynamic_loss_scale=dynamic, verbose=False)
            self.assertEqual(optimizer.loss_scale, 65536.0 if dynamic else 128.0)
            for _ in range(2):
                optimizer.backward(model(torch.ones(1, 4).half()).float().mean() / 4, update_master_grads=False)
            optimizer.update_master_grads()
            self.assertAlmostEqual(optimizer.clip_master_grads(100.0).item(), 0.25 * 10**0.5, places=6)
            optimizer.step()
            self.assertTrue(torch.equal(optimizer.param_groups[0]["params"][0].detach(), before - 0.0625))
            state = optimizer.state_dict()
            optimizer.step()
            with torch.no_grad():
                optimizer.param_groups[0]["params"][0].zero_()
            optimizer.load_state_dict(state)
            self.assertTrue(torch.equal(optimizer.param_groups[0]["params"][0].detach(), before - 0.0625))
            optimizer.backward(model(torch.ones(1, 4).half()).float().mean() * 1e30)
            self.assertEqual(optimizer.overflow, dynamic)
            amp.shutdown()


if __name__ == "__main__":
    unittest.main()

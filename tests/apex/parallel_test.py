# SPDX-License-Identifier: Apache-2.0
"""Tests apex.parallel in one process, and on two ranks of Gloo that this file starts itself."""

import os
import subprocess
import sys
import unittest

import torch
import torch.distributed as dist
from apex import parallel
from apex.optimizers import FusedSGD


def gradients_of_ranks(rank, **options):
    """Returns the gradient of a weight whose ranks have different inputs: 1 on rank 0, 3 on rank 1."""
    model = torch.nn.Linear(1, 1, bias=False)
    wrapped = parallel.DistributedDataParallel(model, **options)
    wrapped(torch.full((1, 1), 1.0 + 2 * rank)).sum().backward()
    return model.weight.grad.item()


def check_reducer(rank):
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(model.weight, rank)
    reducer = parallel.Reducer(model)
    assert model.weight.item() == 0.0
    model(torch.full((1, 1), 1.0 + 2 * rank)).sum().backward()
    reducer.reduce()
    assert model.weight.grad.item() == 2.0


def check_batch_norm(rank):
    """Compares batch norm over two batches of different sizes on two ranks with batch norm over both on one."""
    torch.manual_seed(0)
    whole = torch.randn(7, 3, 4, requires_grad=True)
    alone, shared = torch.nn.BatchNorm1d(3), parallel.SyncBatchNorm(3)
    mine = slice(0, 5) if rank == 0 else slice(5, 7)
    part = whole.detach()[mine].requires_grad_()
    expected, found = alone(whole), shared(part)
    torch.testing.assert_close(found, expected[mine])
    torch.testing.assert_close(shared.running_var, alone.running_var)
    expected.pow(3).sum().backward()
    found.pow(3).sum().backward()
    torch.testing.assert_close(part.grad, whole.grad[mine], rtol=1e-4, atol=1e-4)
    shared.eval()
    torch.testing.assert_close(shared(part), alone.eval()(whole)[mine])


def check_groups(rank):
    assert parallel.create_syncbn_process_group(2) is None
    assert dist.get_world_size(parallel.create_syncbn_process_group(1)) == 1
    try:
        parallel.create_syncbn_process_group(3)
        raise AssertionError("groups of three of two ranks")
    except ValueError as error:
        assert "groups of 3" in str(error)


def be_a_rank():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    assert gradients_of_ranks(rank) == 2.0
    assert gradients_of_ranks(rank, gradient_average=False) == 4.0
    assert gradients_of_ranks(rank, gradient_predivide_factor=4.0) == 2.0
    assert gradients_of_ranks(rank, allreduce_always_fp32=True, message_size=10) == 2.0
    check_reducer(rank)
    check_batch_norm(rank)
    check_groups(rank)
    print("all is right", flush=True)
    os._exit(0)  # a thread of Gloo may abort while Python exits


class Ranks(unittest.TestCase):
    def test_two_ranks_average_normalize_and_group(self):
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", __file__]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.stdout.count("all is right"), 2, done.stderr)


class OneProcess(unittest.TestCase):
    def test_batch_norm_is_converted_with_its_tensors_and_instance_norm_is_not(self):
        net = torch.nn.Sequential(torch.nn.BatchNorm2d(3), torch.nn.Sequential(torch.nn.InstanceNorm2d(3), torch.nn.BatchNorm1d(2)))
        weight = net[0].weight
        converted = parallel.convert_syncbn_model(net)
        self.assertIsInstance(converted[0], parallel.SyncBatchNorm)
        self.assertIs(converted[0].weight, weight)
        self.assertNotIsInstance(converted[1][0], parallel.SyncBatchNorm)
        self.assertIsInstance(converted[1][1], parallel.SyncBatchNorm)

    def test_batch_norm_alone_is_plain_with_addend_and_relu(self):
        torch.manual_seed(0)
        x, z = torch.randn(4, 3, 2), torch.randn(4, 3, 2)
        layer = parallel.SyncBatchNorm(3, fuse_relu=True)
        torch.testing.assert_close(layer(x, z), (torch.nn.BatchNorm1d(3)(x) + z).relu())

    def test_larc_limits_the_rate_and_takes_over_decay(self):
        weight = torch.nn.Parameter(torch.full((4,), 2.0))
        optimizer = parallel.LARC(torch.optim.SGD([weight], lr=1.0, weight_decay=0.5), trust_coefficient=0.1)
        weight.grad = torch.full((4,), 1.0)
        optimizer.step()
        # |p| = 4, |g| = 2: the rate is 0.1 * 4 / (2 + 0.5 * 4) = 0.1, and the gradient 1 + 0.5 * 2.
        torch.testing.assert_close(weight.detach(), torch.full((4,), 2.0 - 0.1 * 2.0))
        self.assertEqual(optimizer.param_groups[0]["weight_decay"], 0.5)

    def test_larc_goes_through_amp_at_every_level(self):
        from apex import amp

        for level in ("O0", "O1", "O2", "O3"):
            model = torch.nn.Linear(4, 2)
            optimizer = parallel.LARC(FusedSGD(model.parameters(), lr=0.5, momentum=0.9))
            before = model.weight.detach().clone()
            model, optimizer = amp.initialize(model, optimizer, opt_level=level, verbosity=0)
            with amp.scale_loss(model(torch.ones(1, 4)).float().mean(), optimizer) as scaled_loss:
                scaled_loss.backward()
            optimizer.step()
            self.assertFalse(torch.equal(model.weight.float(), before.to(model.weight.dtype).float()), level)
            amp.shutdown()

    def test_an_option_that_apex_dropped_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "shared_param"):
            parallel.DistributedDataParallel(torch.nn.Linear(1, 1), shared_param=True)


if __name__ == "__main__":
    if "RANK" in os.environ:
        be_a_rank()
    unittest.main()

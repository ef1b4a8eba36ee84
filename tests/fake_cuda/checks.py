# SPDX-License-Identifier: Apache-2.0
"""Compares the fake CUDA with CUDA's guarantees. Run it with the fake preloaded, with the Python that has LibTorch.
Stops at the first failing check."""
import ctypes
import os
import threading

os.environ["FAKE_CUDA_DEVICES"] = "2"
os.environ["FAKE_CUDA_LAG_US"] = "2000"
import torch  # noqa: E402, the environment has to be set first

stand_in = ctypes.CDLL(None)
stand_in.fake_cuda_count.restype = ctypes.c_long


def count(name):
    return stand_in.fake_cuda_count(name.encode())


def check_matmuls_are_true():
    a, b = torch.randn(33, 17), torch.randn(17, 9)
    for dtype, tolerance in ((torch.float32, 1e-5), (torch.float16, 1e-2), (torch.bfloat16, 1e-1)):
        found = (a.to("cuda", dtype) @ b.to("cuda", dtype)).cpu().float()
        assert torch.allclose(found, a.to(dtype).float() @ b.to(dtype).float(), atol=tolerance), dtype
    linear = torch.nn.Linear(17, 9)
    expected = linear(a)
    assert torch.allclose(linear.cuda()(a.cuda()).cpu(), expected, atol=1e-5)
    batches = torch.randn(3, 4, 5), torch.randn(3, 5, 6)
    assert torch.allclose((batches[0].cuda() @ batches[1].cuda()).cpu(), batches[0] @ batches[1], atol=1e-5)


def check_elementwise_kernels_are_true():
    x = torch.randn(1000)
    y = torch.randn(1000)
    assert torch.equal((x.cuda() + 2 * torch.ones(1000, device="cuda")).cpu(), x + 2)
    assert torch.equal((x.cuda() * y.cuda()).cpu(), x * y)
    assert torch.equal((x.cuda() * 3).cpu(), x * 3)
    assert torch.equal(x.cuda().half().cpu(), x.half())
    assert torch.equal(x.half().cuda().float().cpu(), x.half().float())
    assert torch.equal(torch.full((7,), 2.5, device="cuda", dtype=torch.float16).cpu(), torch.full((7,), 2.5).half())


def check_kernels_of_a_small_model_are_true():
    x = torch.randint(-8, 8, (5, 6, 7)).float()
    y = torch.randint(-8, 8, (5, 6, 7)).float()
    for dtype in (torch.float32, torch.float16):
        a, b = x.to(dtype), y.to(dtype)
        for f in (torch.relu, torch.neg, torch.abs, lambda t: t.clamp(-2, 3), lambda t: t.transpose(0, 2).contiguous(),
                  lambda t: torch.ops.aten.threshold_backward(b.to(t.device), t, 1)):
            assert torch.equal(f(a.cuda()).cpu(), f(a)), dtype
        for dim in ((0, 1, 2), (0,), (2,), (0, 2)):
            assert torch.equal(a.cuda().sum(dim).cpu(), a.sum(dim)), (dtype, dim)
        assert torch.equal(torch.linalg.vector_norm(a.cuda(), torch.inf).cpu(), a.abs().max())
        assert torch.equal(a.cuda().isfinite().all().cpu(), a.isfinite().all())
        assert torch.equal((a.cuda() == b.cuda()).cpu(), a == b)
    bits = x.short()
    assert torch.equal(torch.bitwise_xor(bits.cuda(), 1).cpu(), torch.bitwise_xor(bits, 1))
    norm = torch.linalg.vector_norm(x.cuda(), 2, dtype=torch.float64).cpu()
    assert torch.allclose(norm, torch.linalg.vector_norm(x, 2, dtype=torch.float64)), norm
    for dim in ((0, 1, 2), (1,)):
        assert torch.allclose(x.cuda().mean(dim).cpu(), x.mean(dim))
    assert torch.equal((x == y).cuda().sum().cpu(), (x == y).sum())
    assert torch.equal(x.double().cuda().amax().cpu(), x.double().amax())
    grads = []
    for device in ("cpu", "cuda"):
        z = x.to(device).detach().requires_grad_()
        torch.nn.functional.mse_loss(z, y.to(device), reduction="sum").backward()
        grads.append(z.grad.cpu())
    assert torch.equal(*grads)


def check_unscaling_finds_infinity():
    for value, found in ((3.0, 0.0), (float("inf"), 1.0)):
        grads = [torch.full((70000,), 2.0).cuda(), torch.full((3,), value).cuda()]
        found_inf = torch.zeros(1, device="cuda")
        torch._amp_foreach_non_finite_check_and_unscale_(grads, found_inf, torch.full((1,), 0.5, device="cuda"))
        assert found_inf.item() == found and grads[0].cpu().eq(1).all() and grads[1].cpu()[2] == value / 2


def check_work_is_late():
    source = torch.zeros(1024).pin_memory()  # small, so that filling it takes less time than the lag
    target = torch.ones(1024, device="cuda")
    torch.cuda.synchronize()
    target.copy_(source, non_blocking=True)
    event = torch.cuda.Event()
    event.record()
    assert not event.query()
    source.fill_(5)  # too early: the copy has not begun
    event.synchronize()
    assert event.query() and target.cpu()[0] == 5


def check_pageable_memory_is_staged():
    source = torch.full((1000,), 7.0)
    target = source.to("cuda", non_blocking=True)
    source.zero_()
    assert target.cpu()[0] == 7


def check_streams_and_events_have_their_order():
    side = torch.cuda.Stream(priority=-1)
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    with torch.cuda.stream(side):
        side.wait_stream(torch.cuda.default_stream())
        assert torch.cuda.current_stream() == side
        y = torch.ones(1000, device="cuda") + 1
        end.record()
    y.record_stream(torch.cuda.default_stream())
    end.synchronize()
    assert begin.elapsed_time(end) >= 0 and y.cpu()[0] == 2


def check_backward_runs_on_a_thread_of_its_device():
    model = torch.nn.Linear(8, 4).cuda()
    threads = []
    model.weight.register_hook(lambda grad: threads.append(threading.get_native_id()))
    model(torch.ones(5, 8, device="cuda")).sum().backward()
    assert model.weight.grad.shape == (4, 8) and threads != [threading.get_native_id()]


def check_generators_count_their_offsets():
    generator = torch.cuda.default_generators[0]
    torch.cuda.manual_seed(5)
    before = generator.get_offset()
    torch.randn(1000, device="cuda")
    assert generator.get_offset() > before


def check_a_full_device_says_so():
    try:
        torch.empty(9 << 30, device="cuda", dtype=torch.uint8)
    except torch.cuda.OutOfMemoryError:
        assert (torch.ones(3, device="cuda") + 1).tolist() == [2, 2, 2]
    else:
        raise AssertionError("nothing was thrown")


def check_graphs_replay():
    x = torch.ones(4, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        x + 1
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x + 1
    x.fill_(10)
    graph.replay()
    assert y.tolist() == [11.0] * 4


def check_what_counts_is_counted():
    x = torch.ones(4, device="cuda")
    before = count("launches"), count("synchronizations"), count("copies")
    y = x + 1
    assert count("launches") == before[0] + 1
    y.sum().item()
    assert count("synchronizations") == before[1] + 1 and count("copies") == before[2] + 1


def check_two_devices_are_two():
    x = torch.ones(3, device="cuda:0", requires_grad=True)
    y = x.to("cuda:1") + 1
    y.sum().backward()
    assert y.tolist() == [2, 2, 2] and x.grad.device.index == 0


def check_a_broken_capture_is_lost():
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            torch.ones(4, device="cuda").sum().item()
    except RuntimeError as error:
        assert "capture" in str(error)
    else:
        raise AssertionError("nothing was thrown")


if __name__ == "__main__":
    for name, check in list(globals().items()):  # in the file's order: the last check leaves a device broken
        if name.startswith("check_"):
            check()
            print("ok", name.removeprefix("check_").replace("_", " "), flush=True)

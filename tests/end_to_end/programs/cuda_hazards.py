"""Uses GPU features that a profiler easily disturbs: `cuda_hazards.py NAME ...` prints the results of each.
Calls only ops that the fake CUDA runtime computes."""
import ctypes
import sys

import torch


def launches():
    """Returns the number of graph nodes launched so far, as counted by the fake CUDA runtime."""
    stand_in = ctypes.CDLL(None)
    if not hasattr(stand_in, "fake_cuda_count"):
        return 0
    stand_in.fake_cuda_count.restype = ctypes.c_long
    return stand_in.fake_cuda_count(b"graph nodes launched")


def captured(step):
    """Captures a graph of a step, which ran once before. Prints how many nodes a launch of the graph runs."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    before = launches()
    graph.replay()
    print("nodes of a graph", launches() - before)
    return graph


def capture():
    """Captures a forward with its backward, a factory function that gets no tensor with a device, and a step."""
    x = torch.ones(4, 4, device="cuda")
    w = torch.ones(4, 4, device="cuda", requires_grad=True)

    def gradients():
        w.grad = None
        y = (x @ w) * 2
        y.backward(torch.ones_like(y))

    graph = captured(gradients)
    for value in (1.0, 2.0, 3.0):
        x.fill_(value)
        graph.replay()
        print(w.grad.cpu().tolist()[0])

    made = []
    captured(lambda: made.append((x * 2, torch.full((4, 4), 1.0, device="cuda"))))
    print(made[-1][1].cpu().tolist()[0])

    optimizer = torch.optim.SGD([w], lr=0.25, foreach=False)

    def whole_step():
        optimizer.zero_grad(set_to_none=True)
        mask = torch.full((4, 4), 2.0, device="cuda")
        y = (x @ w) * mask
        y.backward(torch.ones_like(y))
        optimizer.step()

    captured(whole_step)
    print(w.detach().cpu().tolist()[0])


def side_stream():
    """Computes on a stream that the default stream waits for, and uses its memory on the default stream."""
    side = torch.cuda.Stream()
    total = torch.zeros(64, device="cuda")
    for i in range(50):
        with torch.cuda.stream(side):
            y = torch.full((64,), float(i), device="cuda") * 2
        torch.cuda.current_stream().wait_stream(side)
        y.record_stream(torch.cuda.current_stream())
        total = total + y
    print(total.cpu()[0].item())


def two_devices():
    """Runs forward and backward across two devices."""
    x = torch.ones(3, 3, device="cuda:0", requires_grad=True)
    y = (x * 2).to("cuda:1") * 3
    y.backward(torch.ones_like(y))
    print(y.cpu().tolist()[0], x.grad.cpu().tolist()[0], torch.cuda.current_device())


def landing():
    """Copies to pinned memory asynchronously, and waits later."""
    source = torch.full((1 << 16,), 3.0, device="cuda")
    target = torch.zeros(1 << 16).pin_memory()
    for _ in range(3):
        target.copy_(source, non_blocking=True)
        event = torch.cuda.Event()
        event.record()
        event.synchronize()
    other = source.to("cpu", non_blocking=True)
    torch.cuda.synchronize()
    print(target[0].item(), other[-1].item())


def inference():
    """Makes thousands of calls outside of steps."""
    x = torch.ones(8, 8, device="cuda")
    with torch.inference_mode():
        for _ in range(10000):
            y = x * 2
    print(y.cpu()[0, 0].item(), torch.cuda.max_memory_allocated() < 64 << 20)


def landing_late():
    """Copies other values asynchronously, like landing(), and reads them after a synchronization."""
    source = torch.full((1 << 10,), 3.0, device="cuda")
    target = torch.zeros(1 << 10).pin_memory()
    target.copy_(source, non_blocking=True)
    other = source.to("cpu", non_blocking=True)
    torch.cuda.synchronize()
    print(target[0].item(), other[-1].item())


def long_inference():
    """Makes so many calls that memory would fill up if data were kept for each call."""
    x = torch.ones(8, 8, device="cuda")
    with torch.inference_mode():
        for _ in range(100000):
            y = x * 2
    print(y.cpu()[0, 0].item(), torch.cuda.max_memory_allocated() < 20 << 20)


def full():
    """Runs ops on a device with hardly any memory left, and one that does not fit. The allocator has to run out
    of memory and free its cache as often as without ampprof."""
    y = torch.full((1 << 23,), 2.0, dtype=torch.float16, device="cuda")
    y = y * 1.5 * 2
    kept = torch.empty_like(y)  # reserves the memory of the ops below
    torch.cuda.empty_cache()
    held = torch.empty(torch.cuda.mem_get_info()[0] - (4 << 20), dtype=torch.uint8, device="cuda")
    del kept
    caught = 0
    for i in range(20):
        y = y * 1.5
        y *= 2 / 3
        if i % 10 == 9:
            try:
                torch.ones(1 << 26, device="cuda")
            except torch.OutOfMemoryError:
                caught += 1
    stats = torch.cuda.memory_stats()
    print(caught, stats["num_ooms"], stats["num_alloc_retries"], held.numel() > 0, y.cpu()[-1].item())


def full_memory():
    """Allocates all memory, frees a little, and computes in it."""
    block = torch.cuda.mem_get_info()[1] // 64
    blocks = []
    try:
        for i in range(128):
            blocks.append(torch.full((block // 4,), float(i), device="cuda"))
    except torch.OutOfMemoryError as error:
        print("memory is full:", type(error).__name__)
    del blocks[2:4]
    half = blocks[1].half()
    y = half * 2
    print(y[:1].cpu().item(), y[-1:].cpu().item())


def peak():
    """Prints the largest amount of device memory in use."""
    x = torch.ones(1 << 24, device="cuda")
    y = x * 2
    z = torch.ones(8, device="cuda") * 2
    print(torch.cuda.max_memory_allocated() >> 20)


def own_profiler():
    """Uses torch.profiler with device activity in the program itself."""
    from torch.profiler import ProfilerActivity, profile

    x = torch.ones(8, 8, device="cuda")
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as own:
        y = x @ x
    print(y.cpu()[0, 0].item(), len(own.events()) > 0)


def generators():
    """Prints the offset of the random generator after the program's own draws."""
    torch.cuda.manual_seed(3)
    x = torch.ones(64, 64, device="cuda", requires_grad=True)
    for _ in range(3):
        y = torch.nn.functional.dropout(x, 0.5) * 2
        y.backward(torch.ones_like(y))
    torch.randn(100, device="cuda")
    print(torch.cuda.default_generators[0].get_offset())


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()[name]()

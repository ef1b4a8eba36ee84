"""Computes on the CPU, chooses its devices, forks, and only then uses a device, as a launcher's worker does.
LATE_DEVICE is that device, the second by default."""
import os

import torch

torch.ones(3) + 1  # has no backward, which would initialize the devices
os.environ["CUDA_VISIBLE_DEVICES"] = os.environ.get("LATE_DEVICE", "1")
child = os.fork()
if child == 0:
    print("a child finds", torch._C._cuda_getDeviceCount(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
print("its parent finds", torch._C._cuda_getDeviceCount(), (torch.ones(3, device="cuda") + 1).tolist())

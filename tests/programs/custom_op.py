# SPDX-License-Identifier: Apache-2.0
# feature: torch.library.custom_op with a side effect: it counts its calls
# steps: 3
# loss: ^
# missing: counted
import torch

import program_state

runs = {"forward": 0, "backward": 0}


@torch.library.custom_op("mylib::counted_scale", mutates_args=())
def counted_scale(x: torch.Tensor, factor: float) -> torch.Tensor:
    runs["forward"] += 1
    return x * factor


@counted_scale.register_fake
def _(x, factor):
    return torch.empty_like(x)


def setup(ctx, inputs, output):
    ctx.factor = inputs[1]


def backward(ctx, grad):
    runs["backward"] += 1
    return grad * ctx.factor, None


counted_scale.register_autograd(backward, setup_context=setup)

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = counted_scale(net(torch.randn(2, 4)), 3.0).float().pow(2).mean()
    loss.backward()
    opt.step()
    print(f"{loss.item():.6f}")
print(runs)
program_state.save(net=net, forward=runs["forward"], backward=runs["backward"])

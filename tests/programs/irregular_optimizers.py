# SPDX-License-Identifier: Apache-2.0
# feature: two optimizers under one GradScaler; one of them has gradients only in every third step
# steps: 7
# loss: ^
# finding: loss_scale_too_large
import torch

import program_state

torch.set_num_threads(1)
torch.manual_seed(4)
often, rarely = torch.nn.Linear(5, 5), torch.nn.Linear(5, 1)
opts = {often: torch.optim.Adam(often.parameters(), lr=0.01), rarely: torch.optim.Adam(rarely.parameters(), lr=0.01)}
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**18)
for i in range(7):
    x = torch.randn(16, 5)
    with torch.autocast("cpu", dtype=torch.float16):
        first, second = often(x), rarely(x)
    loss = (first.float() - 2 * x).square().mean() * 8
    if i % 3 == 0:
        loss = loss + second.float().square().mean()
    scaler.scale(loss).backward()
    for net, opt in opts.items():
        if all(p.grad is not None for p in net.parameters()):
            scaler.step(opt)
    scaler.update()
    for opt in opts.values():
        opt.zero_grad()
    print(f"{loss.item():.6f}")
program_state.save(often=often, rarely=rarely)

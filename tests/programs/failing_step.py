# SPDX-License-Identifier: Apache-2.0
# feature: an exception inside optimizer.step that the program catches
# steps: 5
# loss: ^\S+
import torch

import program_state


class Moody(torch.optim.SGD):
    moods = 0

    @torch.no_grad()
    def step(self, closure=None):
        Moody.moods += 1
        if Moody.moods % 2 == 1:
            for group in self.param_groups:
                group["params"][0].add_(0.0)
            raise RuntimeError("not today")
        return super().step(closure)


torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Linear(4, 1)
opt = Moody(net.parameters(), lr=0.1)
for i in range(5):
    loss = net(torch.randn(6, 4)).square().mean()
    opt.zero_grad()
    loss.backward()
    try:
        opt.step()
    except RuntimeError as error:
        print(i, "caught:", error)
        opt.step()
    print(i, f"{loss.item():.6f}")
program_state.save(net=net)

# SPDX-License-Identifier: Apache-2.0
# Situation: two checkpointed regions share a Linear under autocast. The second region's forward finds the weight's cast
#   in the cache, its recomputation does not, and the checkpoint raises; the program continues without a cache. A tool
#   that touches the cache, or whose ops the checkpoint's dispatch mode sees, changes this.
# Source: pytorch/pytorch#193338 and #141896.
# Options: --impact --inherited
# steps: 4
# losses: includes printed losses
# cast[op=linear,phase=forward].hits: 2
# stale.count: 0
# finding.count: 0
import functools
import hashlib
import torch
from torch import nn
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared, self.out = nn.Linear(16, 16), nn.Linear(16, 2)

    def block(self, x):
        return torch.tanh(self.shared(x)) + x

    def forward(self, x):
        def policy(ctx, op, *args, **kwargs):
            return CheckpointPolicy.MUST_SAVE if op in (torch.ops.aten._to_copy.default, torch.ops.aten.addmm.default) else CheckpointPolicy.PREFER_RECOMPUTE
        for _ in range(2):
            x = checkpoint(self.block, x, use_reentrant=False, context_fn=functools.partial(create_selective_checkpoint_contexts, policy))
        return self.out(x)


torch.set_num_threads(1)
torch.manual_seed(18)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 16), torch.arange(8) % 2
losses, error, cache = [], None, True
for i in range(5):
    opt.zero_grad()
    try:
        with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=cache):
            loss = nn.functional.cross_entropy(net(x).float(), y)
        loss.backward()
    except RuntimeError as e:
        error, cache = (i + 1, type(e).__name__, str(e).split("\n")[0][:60]), False
        continue
    opt.step()
    losses.append(loss.item())
state = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in net.parameters())).hexdigest()[:16]
print("error", error, "steps", len(losses), "losses", repr(losses), "state", state)

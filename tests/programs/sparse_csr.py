# SPDX-License-Identifier: Apache-2.0
# feature: sparse CSR matrices: a small graph network
# steps: 3
# loss: ^\d\s
# modes: recorded,deep,what-if,recipe
# missing: sparse
import warnings

import torch
from torch import nn

import program_state

warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
torch.set_num_threads(1)
torch.manual_seed(4)

adjacency = (torch.rand(10, 10) > 0.7).float()
adjacency = ((adjacency + adjacency.T) > 0).float() + torch.eye(10)
normalised = (adjacency / adjacency.sum(1, keepdim=True)).to_sparse_csr()


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, a, x):
        return self.second(torch.sparse.mm(a, self.first(x)).relu())


net = GCN()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.randn(10, 4), torch.randint(2, (10,))
for epoch in range(3):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(normalised, x), y)
    loss.backward()
    opt.step()
    print(epoch, f"{loss.item():.6f}", normalised.layout)
print((normalised @ torch.ones(10)).sum().item())
program_state.save(net=net)

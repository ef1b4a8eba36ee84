# SPDX-License-Identifier: Apache-2.0
# feature: quantized tensors and a quantized linear layer
# steps: any
# missing: quantized
import warnings

import torch

import program_state

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.manual_seed(0)

if "fbgemm" in torch.backends.quantized.supported_engines:
    torch.backends.quantized.engine = "fbgemm"
net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).eval()
with torch.no_grad():
    q = torch.quantize_per_tensor(torch.randn(3, 4), scale=0.1, zero_point=10, dtype=torch.quint8)
    channels = torch.quantize_per_channel(torch.randn(2, 3), torch.tensor([0.1, 0.2]), torch.tensor([0, 1]), 0, torch.qint8)
    print(q.int_repr().sum().item(), f"{q.dequantize().sum().item():.5f}", channels.qscheme())
    small = torch.ao.quantization.quantize_dynamic(net, {torch.nn.Linear}, dtype=torch.qint8)
    x = torch.randn(4, 8)
    a, b = net(x), small(x)
    print("largest difference below 0.1:", (a - b).abs().max().item() < 0.1)
program_state.save(q=q.int_repr(), channels=channels.int_repr(), a=a, b=b)

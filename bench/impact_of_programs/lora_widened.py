# SPDX-License-Identifier: Apache-2.0
# feature: LoRA adapters that were rounded to BF16 with their net, then converted back to FP32
import torch

import frozen

model = frozen.Adapted().bfloat16()
for parameter in frozen.trained(model):
    parameter.data = parameter.data.float()
frozen.train(model, frozen.by(torch.optim.AdamW(frozen.trained(model), lr=5e-3)))

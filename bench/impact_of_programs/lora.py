# SPDX-License-Identifier: Apache-2.0
# feature: LoRA: FP32 adapters of a frozen BF16 net
import torch

import frozen

model = frozen.Adapted()
frozen.train(model, frozen.by(torch.optim.AdamW(frozen.trained(model), lr=5e-3)))

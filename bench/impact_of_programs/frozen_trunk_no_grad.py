# SPDX-License-Identifier: Apache-2.0
# feature: a BF16 trunk is frozen, and runs without gradients
import torch

import frozen

model = frozen.Head(records=False)
frozen.train(model, frozen.by(torch.optim.AdamW(frozen.trained(model), lr=5e-3)))

# SPDX-License-Identifier: Apache-2.0
# feature: a BF16 trunk is frozen
import torch

import frozen

model = frozen.Head()
frozen.train(model, frozen.by(torch.optim.AdamW(frozen.trained(model), lr=5e-3)))

# SPDX-License-Identifier: Apache-2.0
# feature: DoRA: adapters with magnitudes that start as the norms of frozen BF16 weights
import torch

import frozen

model = frozen.Adapted(has_magnitude=True)
frozen.train(model, frozen.by(torch.optim.AdamW(frozen.trained(model), lr=5e-3)))

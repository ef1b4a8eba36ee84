# SPDX-License-Identifier: Apache-2.0
# feature: the data was rounded to BF16 before the training
import torch

import frozen

model = frozen.Head()
all_data = [(x.bfloat16().float(), y) for x, y in (frozen.data() for _ in range(frozen.STEPS))]
frozen.data = iter(all_data).__next__
frozen.train(model, frozen.by(torch.optim.AdamW(frozen.trained(model), lr=5e-3)))

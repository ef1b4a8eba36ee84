# SPDX-License-Identifier: Apache-2.0
# feature: a frozen BF16 net whose optimizer gets a second parameter group during training
import torch

import frozen

model = frozen.Head()
optimizer = torch.optim.SGD([{"params": model.fc1.parameters(), "momentum": 0.9}], lr=1e-2)
update, steps = frozen.by(optimizer), iter(range(frozen.STEPS))


def update_of_groups(loss):
    update(loss)
    if next(steps) == 4:
        optimizer.add_param_group({"params": model.fc2.parameters(), "lr": 1e-1})


frozen.train(model, update_of_groups)

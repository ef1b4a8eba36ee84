# SPDX-License-Identifier: Apache-2.0
# feature: a program that loads LibTorch and calls no op
# steps: 0
# records: nothing
# missing: every op
import torch

print("torch", torch.__version__.split("+")[0])
print("gradients", torch.is_grad_enabled(), "threads", torch.set_num_threads(1))

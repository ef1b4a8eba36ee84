# SPDX-License-Identifier: Apache-2.0
"""Prepares reports and programs under the names that documents use."""
import shutil

REPORT = "tests/reports/old/schema_1.ampprof"
NAMES = ("demo.ampprof", "rank0.ampprof", "rank1.ampprof")
TRAIN = """
import torch
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(20, 40), torch.nn.ReLU(), torch.nn.Linear(40, 5))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(model(torch.randn(8, 20)), torch.arange(8) % 5)
    loss.backward()
    optimizer.step()
"""


def fill(folder, root, build):
    for name in NAMES:
        shutil.copy(root / REPORT, folder / name)
    (folder / "train.py").write_text(TRAIN)
    for example in (root / "docs" / "examples").iterdir():
        shutil.copy(example, folder / example.name)
    train = build / "bin" / "plain_train"
    if train.exists():
        (folder / "train").symlink_to(train)

# SPDX-License-Identifier: Apache-2.0
"""Runs a notebook that records, opens and shows a report. Prints the output of the notebook's cells."""

import nbclient
import nbformat

CELLS = (
    "import torch, ampprof",
    """weight = torch.full((4,), 0.3, requires_grad=True)
with ampprof.record("notebook.ampprof", force=True) as recording:
    for _ in range(3):
        (weight.half() * 2).sum().float().backward()
        weight.data.sub_(0.1 * weight.grad)
recording""",
    """with ampprof.record("notebook.ampprof", force=True):
    (weight * 3).sum().backward()
report = ampprof.open("notebook.ampprof")
print(sorted(set(row for row in report.ops["op"]) if hasattr(report.ops, "columns") else set(row["op"] for row in report.ops)))
report""",
)

notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.outputs:
        for kind, data in output.get("data", {}).items():
            print(kind, "iframe" if "<iframe" in data else data)
        if "text" in output:
            print(output["text"])

# SPDX-License-Identifier: Apache-2.0
# feature: a program that never loads LibTorch
# steps: 0
# records: nothing
# missing: LibTorch
import json
import os

print(json.dumps({"hello": "world", "sum": sum(range(10))}))
if path := os.environ.get("PROGRAM_STATE"):
    with open(path, "w") as file:
        file.write("nothing")

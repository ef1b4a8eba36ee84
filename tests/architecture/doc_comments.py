# SPDX-License-Identifier: Apache-2.0
"""Names doc comments of headers that begin neither with a verb nor with their subject. Run: doc_comments.py ROOT"""
import re
import sys

from sources import headers, report

BEGINNING = re.compile(r"///<?\s*(Of|The same|Those|As|What)\b")

offenders = []
for path, text in headers(sys.argv[1]):
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        begins = "///" in line and not (inside and line.lstrip().startswith("/// "))
        inside = line.lstrip().startswith("///") and not line.lstrip().startswith("///<")
        comment = BEGINNING.search(line) if begins else None
        if comment:
            offenders.append(f"{path}:{number}: {line[comment.start():].strip()}")
report("doc comments that begin with Of, The same, Those, As or What, not with a verb or their subject", offenders)

# SPDX-License-Identifier: Apache-2.0
"""Tests which sentences in code and documents are found."""
import pathlib
import tempfile
import unittest

import plain_english

CODE = """// SPDX-License-Identifier: Apache-2.0
/// Frees outputs that nobody reads.
/// Of a call's outputs those that nobody reads
/// are freed.
int a;  ///< what of those that have none
#include <vector>
const char* kText = "'x' is no GPU of this table";
const char* kQuery = "SELECT what of those that are FROM it";
"""

DOCUMENT = """# Of a heading nothing is read

Plain words, and `that of those` in code.

- What a list item says
  goes on here.
- A second item is fine.

| Those of a cell are read | fine words in here |

    Of what is indented nothing is read.
```text
Of a block nothing is read either.
```
"""

PYTHON = '''"""Reads files.

Of these the second paragraph is one."""
x = 1  # Of the numbers this one is the first.
'''


def found(path, text):
    return [(line, sentence) for line, _, sentence in plain_english.found_in(path, text)]


class PlainEnglish(unittest.TestCase):
    def test_finds_comments_and_messages(self):
        self.assertEqual(found("a.cpp", CODE), [
            (2, "Of a call's outputs those that nobody reads are freed."),
            (5, "what of those that have none"),
            (7, "x' is no GPU of this table"),
        ])

    def test_finds_paragraphs_items_and_cells_of_documents(self):
        self.assertEqual(found("a.md", DOCUMENT), [(5, "What a list item says goes on here."), (9, "Those of a cell are read")])

    def test_finds_docstrings(self):
        self.assertEqual([line for line, _ in found("a.py", PYTHON)], [4, 1])

    def test_leaves_questions(self):
        self.assertEqual(found("a.md", "What does it cost to record?\n"), [])
        self.assertNotEqual(found("a.md", "What it costs is measured.\n"), [])

    def test_fails_on_what_nobody_has_read_and_on_what_is_gone(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.md").write_text("What it costs is measured.\n")
            read = pathlib.Path(folder, "read.txt")
            self.addCleanup(setattr, plain_english, "READ", plain_english.READ)
            plain_english.READ = read
            for listed, code in (("", 1), ("a.md: What it costs is measured.\n", 0), ("a.md: gone\n", 1)):
                read.write_text("# a remark\n" + listed)
                self.assertEqual(plain_english.main(folder), code, listed)


if __name__ == "__main__":
    unittest.main()

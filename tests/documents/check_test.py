# SPDX-License-Identifier: Apache-2.0
"""Tests what counts as a command in a document, and when its output agrees with the document."""
import unittest

from blocks import document
from masks import difference

PAGE = """# A page

Try `ampprof show r.ampprof` first.

```console
$ ampprof samples   # programs to try
mlp  digits
$ ampprof run \\
  sample:mlp
```

    make test    # everything
    op call ──► stages

- an item
    and its continuation

```cpp
make(1);
```

```
LIBTORCH=x ampprof doctor
some output
```
"""


class Blocks(unittest.TestCase):
    def test_finds_commands_with_their_output_and_place(self):
        found = document("d.md", PAGE)
        self.assertEqual([(c.place, c.text, c.output) for c in found.run],
                         [("d.md:6", "ampprof samples", ["mlp  digits"]), ("d.md:8", "ampprof run sample:mlp", [])])

    def test_finds_commands_of_other_blocks(self):
        self.assertEqual([c.text for c in document("d.md", PAGE).other], ["make test", "LIBTORCH=x ampprof doctor"])

    def test_finds_those_in_sentences(self):
        self.assertEqual([c.text for c in document("d.md", PAGE).spans], ["ampprof show r.ampprof"])


    def test_reads_directives_of_myst_as_if_they_were_not_there(self):
        page = "````{note}\nTry `ampprof samples`.\n```console\n$ ampprof doctor\n```\n````\n" \
               "```{toctree}\n:hidden:\n\nmake\n```\n\n```console\n$ ampprof samples\n```\n"
        found = document("d.md", page)
        self.assertEqual([c.text for c in found.run], ["ampprof doctor", "ampprof samples"])
        self.assertEqual([c.text for c in found.spans], ["ampprof samples"])
        self.assertEqual(found.other, [])


class Difference(unittest.TestCase):
    def same(self, expected, printed):
        self.assertEqual(difference(expected.split("\n"), printed.split("\n")), "")

    def differs(self, expected, printed):
        self.assertNotEqual(difference(expected.split("\n"), printed.split("\n")), "")

    def test_leaves_figures_out(self):
        self.same("time/step   10.2 ms ±2%   31%", "time/step  9.87 ms ±14%   3%")
        self.same("wrote /tmp/a/b.ampprof", "wrote /tmp/ampprof-documents-x1/b.ampprof")
        self.same("ampprof 0.1.0", "ampprof 0.1.0.dev564+g1df7dc1a2b.dirty")
        self.same("error 2.8e-04, 10.8k ulp", "error 3.1e-05, 999 ulp")

    def test_keeps_words_and_names(self):
        self.differs("conv1/conv2d f32 f16 124", "conv2/conv2d f32 f16 124")
        self.differs("overflow events 2", "skipped steps 2")
        self.differs("O1 ends", "O2 ends")

    def test_tells_missing_and_further_lines(self):
        self.differs("one\ntwo", "one")
        self.differs("one", "one\ntwo")
        self.same("one", "one\n\n")

    def test_dots_stand_for_any_lines(self):
        self.same("one\n...\nfour", "one\ntwo\nthree\nfour")
        self.same("one\n...", "one")
        self.differs("one\n...\nfour", "one\ntwo\nthree")
        self.assertIn("it says  four", difference(["one", "...", "four"], ["one", "two"]))


unittest.main()

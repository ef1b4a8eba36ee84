# SPDX-License-Identifier: Apache-2.0
"""Tests when a link of a document is dead, and when a page is in no table of contents."""
import pathlib
import tempfile
import unittest

import links

INDEX = """# Home

[a page](sub/page.md), [its part](sub/page.md#the-part-of-it), [gone
for ever](gone.md), [no part](sub/page.md#gone), `[code](x.md)`,
[the web](https://example.org/x), [here](#home), [outside](../../../../../../etc)

```{include} gone.txt
```
```{toctree}
:hidden:

sub/page
Title <sub/absent>
```
"""


class Links(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.write("docs/index.md", INDEX)
        self.write("docs/sub/page.md", "# Page\n\n## The `part` of it\n")
        self.write("docs/sub/alone.md", "# Alone\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_names_dead_links_with_file_and_line(self):
        self.assertEqual(list(links.dead_links(self.root, self.root / "docs/index.md")),
                         ["docs/index.md:4: gone.md: there is no such file",
                          "docs/index.md:4: sub/page.md#gone: there is no such heading",
                          "docs/index.md:5: ../../../../../../etc: leads out of the repository",
                          "docs/index.md:7: gone.txt: there is no such file"])

    def test_names_pages_that_no_table_of_contents_has(self):
        found = list(links.outside_contents(self.root / "docs"))
        self.assertEqual(len(found), 2)
        self.assertIn("docs/sub/alone.md", found[0])
        self.assertIn("sub/absent.md", found[1])


unittest.main()

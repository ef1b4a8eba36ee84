# SPDX-License-Identifier: Apache-2.0
"""Tests links and docstrings of built pages, stale pages of the reference, and gaps of the C++ reference."""
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs"))
import conf
import cpp_api
import generate_reference


class Links(unittest.TestCase):
    def built(self, text, place="docs/guides", page="docs/guides"):
        return conf.without_links_out(text, conf.ROOT / place, conf.ROOT / page)

    def test_keeps_those_between_pages(self):
        self.assertEqual(self.built("[a](nan.md#x), [b](../start/install.md), [c](#here), [d](https://example.org)"),
                         "[a](nan.md#x), [b](../start/install.md), [c](#here), [d](https://example.org)")

    def test_makes_words_of_those_that_leave_docs(self):
        self.assertEqual(self.built("[rules](../../precision/rules/README.md)"), "rules (`precision/rules/README.md`)")
        self.assertEqual(self.built("[`tests/README.md`](../../tests/README.md)"), "`tests/README.md`")

    def test_leads_to_the_page_that_includes_a_document(self):
        self.assertEqual(self.built("[log](CHANGELOG.md), [Apex](apex/README.md#what)", place=".", page="docs/project"),
                         "[log](changelog.md), [Apex](../reference/apex.md#what)")

    def test_leaves_code_alone_and_pictures(self):
        text = "```python\nnet[left](x.md)\n```\n![a](../../gui/pictures/decide.png)"
        self.assertEqual(self.built(text), text)


class Docstrings(unittest.TestCase):
    def test_shows_indented_blocks_and_spans_as_code(self):
        self.assertEqual(conf.as_restructured(["Begins `x`.", "", "    with f(*a):", "        train()", "", "a * b, `*c`"]),
                         ["Begins ``x``.", "", "::", "", "    with f(*a):", "        train()", "", "a \\* b, ``*c``"])


class CppReference(unittest.TestCase):
    INDEX = """<doxygenindex><compound kind="class" refid="scaler"><name>amp::Scaler</name></compound>
        <compound kind="struct" refid="state"><name>amp::Scaler::State</name></compound>
        <compound kind="namespace" refid="amp"><name>amp</name></compound>
        <compound kind="namespace" refid="torch"><name>torch</name></compound></doxygenindex>"""
    DEFINITION = """<doxygen><compounddef><briefdescription><para>{0}</para></briefdescription>{1}</compounddef></doxygen>"""
    MEMBER = "<memberdef><name>step</name><detaileddescription/></memberdef>"

    def test_lists_headers_that_exist(self):
        self.assertIn("amp_core/amp.h", cpp_api.public_headers())
        self.assertEqual([name for name in cpp_api.public_headers() if not (conf.ROOT / name).is_file()], [])

    def test_names_what_has_no_comment_or_no_page(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            for name, text in {"index": self.INDEX, "scaler": self.DEFINITION.format("A scaler.", ""),
                               "state": self.DEFINITION.format("Its state.", ""),
                               "amp": self.DEFINITION.format("", self.MEMBER)}.items():
                (place / f"{name}.xml").write_text(text)
            self.assertEqual(cpp_api.faults(place, place), ["amp::step has no doc comment",
                                                            "amp::Scaler is on no page of docs/reference/cpp/",
                                                            "amp::step is on no page of docs/reference/cpp/"])
            (place / "page.md").write_text("```{doxygenclass} amp::Scaler\n```\n```{doxygenfunction} amp::step(int)\n```\n")
            self.assertEqual(cpp_api.faults(place, place), ["amp::step has no doc comment"])


class Reference(unittest.TestCase):
    def test_names_pages_that_differ_lack_or_are_too_many(self):
        with tempfile.TemporaryDirectory() as folder:
            self.addCleanup(setattr, generate_reference, "FOLDER", generate_reference.FOLDER)
            generate_reference.FOLDER = pathlib.Path(folder)
            (pathlib.Path(folder) / "verbs").mkdir()
            for name, text in {"verbs/run.md": "old", "verbs/show.md": "same", "verbs/gone.md": "x", "by_hand.md": "x"}.items():
                (pathlib.Path(folder) / name).write_text(text)
            self.assertEqual(
                generate_reference.differences({"verbs/run.md": "new", "verbs/show.md": "same", "schema.md": "y"}),
                ["schema.md", "verbs/gone.md", "verbs/run.md"])

    def test_writes_parts_of_a_page_and_keeps_the_rest(self):
        page = ("# Gates\n\n% The next lines are written by docs/generate_reference.py: metrics\nold\n% End of these lines.\n\nProse.\n")
        written = generate_reference.with_parts(page, {"metrics": "| new |\n"})
        self.assertEqual(written, page.replace("old\n", "\n| new |\n\n"))
        self.assertEqual(generate_reference.with_parts(written, {"metrics": "| new |\n"}), written)

    def test_describes_each_variable_that_programs_on_amp_core_read(self):
        read = {name for path in (conf.ROOT / "amp_core").rglob("*.cpp")
                for name in re.findall(r'getenv\("(AMP_\w+)"\)', path.read_text())}
        self.assertIn("AMP_OPT_LEVEL", read)
        described = re.findall(r'\{"(\w+)", ReadBy::Programs', (conf.ROOT / "cli/manual/variables.h").read_text())
        self.assertEqual(sorted(read), sorted(described))

    def test_keeps_bars_and_marks_of_descriptions_as_they_are(self):
        self.assertEqual(generate_reference.escaped("|D| / <D, W>, `a|b* --c` and 0 * inf (--inherited)"),
                         r"\|D\| / \<D, W>, `a\|b* --c` and 0 \* inf (`--inherited`)")


unittest.main()

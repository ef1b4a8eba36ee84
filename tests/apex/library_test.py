# SPDX-License-Identifier: Apache-2.0
"""Tests how the package finds its library, and when it refuses to load."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


def import_apex(*folders, version=None):
    """Returns the error of `import apex`. `folders` are searched before those of the test; `version` replaces PyTorch's
    version."""
    patch = f"import torch; torch.__version__ = {version!r}; " if version else ""
    path = os.pathsep.join([*map(str, folders), os.environ["PYTHONPATH"]])
    done = subprocess.run([sys.executable, "-B", "-c", patch + "import apex.amp"], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=path))
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


class Library(unittest.TestCase):
    def test_is_found(self):
        self.assertEqual(import_apex(), "")

    def test_an_apex_that_is_installed_is_not_hidden(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "apex-0.1.dist-info").mkdir()
            pathlib.Path(folder, "apex-0.1.dist-info", "METADATA").write_text("Metadata-Version: 2.1\nName: apex\nVersion: 0.1\n")
            self.assertIn("Another Apex is installed", import_apex(folder))

    def test_an_apex_behind_it_on_the_path_is_not_hidden(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "apex").mkdir()
            pathlib.Path(folder, "apex", "__init__.py").touch()
            path = os.environ["PYTHONPATH"]
            os.environ["PYTHONPATH"] = os.pathsep.join([path, folder])
            self.addCleanup(os.environ.__setitem__, "PYTHONPATH", path)
            self.assertIn(f"Another Apex is installed beside ampprof-apex: {folder}", import_apex())

    def test_a_pytorch_without_an_engine_is_named(self):
        self.assertIn("no amp_core for PyTorch 1.2.3", import_apex(version="1.2.3"))


if __name__ == "__main__":
    unittest.main()

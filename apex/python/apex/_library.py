# SPDX-License-Identifier: Apache-2.0
"""Loads the engine for the running version of PyTorch."""

import importlib.metadata
import os
import pathlib
import sys

import torch

_LIBRARY = "libamp_apex.so"


def _refuse_to_hide_apex():
    """Raises ImportError if NVIDIA's Apex is installed, too: a script would get one of the two by chance."""
    here = pathlib.Path(__file__).resolve().parent
    folders = (pathlib.Path(entry or ".") / "apex" for entry in sys.path)
    others = [str(folder) for folder in folders if (folder / "__init__.py").is_file() and folder.resolve() != here]
    try:
        others.append(f"apex {importlib.metadata.version('apex')}")
    except importlib.metadata.PackageNotFoundError:
        pass
    if others:
        raise ImportError(
            f"Another Apex is installed beside ampprof-apex: {others[0]}. Uninstall one of the two: "
            "pip uninstall apex, or pip uninstall ampprof-apex."
        )


def _candidates():
    """Yields (version of PyTorch, folder) for each folder that has a library built for that version."""
    from ampprof import _installation

    for folder in sorted((_installation.root() / "lib").glob("torch-*")):
        if (folder / _LIBRARY).is_file():
            yield folder.name.removeprefix("torch-"), folder


def _load():
    version = torch.__version__.split("+")[0]
    folders = dict(_candidates())
    if version not in folders:
        known = ", ".join(folders) or "none"
        raise ImportError(
            f"ampprof has no amp_core for PyTorch {version}; it has amp_core for: {known}. Install one of these versions, "
            f"or add this version where ampprof was built: make torch TORCH={version}."
        )
    torch.classes.load_library(os.fspath(folders[version] / _LIBRARY))
    return torch.classes.amp_apex


_refuse_to_hide_apex()
classes = _load()
engine = classes.Engine()
functions = classes.Functions

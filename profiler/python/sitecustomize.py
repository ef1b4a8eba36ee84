# SPDX-License-Identifier: Apache-2.0
"""Runs in every Python that `ampprof run` starts: waits for torch, then lets ampprof_hooks tell the observer what only
Python knows. Does nothing to a Python that never imports torch."""

import os
import sys


def _run_shadowed_sitecustomize():
    """Ours hides the user's own sitecustomize, if there is one further down the path: run it."""
    import importlib.machinery
    import importlib.util

    here = os.path.dirname(os.path.abspath(__file__))
    path = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


import ampprof_hooks

ampprof_hooks.wait_for_torch()
_run_shadowed_sitecustomize()

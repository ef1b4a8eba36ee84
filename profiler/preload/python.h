// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::preload {

/// Lets ampprof_hooks.py wait for torch, in a Python that is opening LibTorch's extension on this thread. Once; does
/// nothing elsewhere. Neither PYTHONPATH nor a name of the program is touched, so it works with `python -I` too.
void hook_python();

}  // namespace ampprof::preload

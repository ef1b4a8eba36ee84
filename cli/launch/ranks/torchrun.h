// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/launch/program/program.h"

namespace ampprof::cli {

/// Returns the command that starts the program with torchrun on `ranks` processes of this machine:
/// `python -m torch.distributed.run --standalone`. Uses the first of these interpreters that has torch: the one that
/// runs the program, the one of the environment with the program's LibTorch, python3. Throws UsageError if none has
/// torch.
Program on_ranks(Program program, std::int64_t ranks);

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/launch/program/program.h"

namespace ampprof::cli {

/// Returns the command that starts the program with torchrun on `ranks` processes of this machine:
/// `python -m torch.distributed.run --standalone`. Takes the Python that runs the program, that of its LibTorch, or
/// python3. Throws UsageError if none of them has torch.
Program on_ranks(Program program, std::int64_t ranks);

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/launch/program/program.h"

namespace ampprof::cli {

/// Returns the program as torchrun starts it, on `ranks` processes of this machine: `python -m torch.distributed.run
/// --standalone`, by the Python that the program runs in, the one that its LibTorch lies in, or python3. Throws
/// UsageError where none of them has torch.
Program on_ranks(Program program, std::int64_t ranks);

}  // namespace ampprof::cli

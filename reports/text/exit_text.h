// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof::text {

/// Returns the name and description of a signal: "signal SIGSEGV (Segmentation fault)".
std::string signal_text(int signal);

/// Returns "exit code 3", or signal_text() for an exit code of 128 + signal.
std::string exit_text(int exit_code);

}  // namespace ampprof::text

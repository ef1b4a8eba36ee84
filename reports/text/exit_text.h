// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof::text {

/// Returns "signal SIGSEGV (Segmentation fault)".
std::string signal_text(int signal);

/// Returns "exit code 3"; signal_text() for 128 + signal.
std::string exit_text(int exit_code);

}  // namespace ampprof::text

// SPDX-License-Identifier: Apache-2.0
#include "reports/text/exit_text.h"

#include <fmt/format.h>
#include <string.h>

namespace ampprof::text {

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  return fmt::format("signal SIG{} ({})", name != nullptr ? name : std::to_string(signal), strsignal(signal));
}

std::string exit_text(int exit_code) {
  constexpr int kOfSignals = 128;
  const int signal = exit_code - kOfSignals;
  const bool is_signal = signal > 0 && sigabbrev_np(signal) != nullptr;
  return is_signal ? signal_text(signal) : fmt::format("exit code {}", exit_code);
}

}  // namespace ampprof::text

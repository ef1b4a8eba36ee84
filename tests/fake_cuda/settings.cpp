// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/settings.h"

#include <cstdlib>
#include <string_view>

namespace fake_cuda {
namespace {

const char* text_of(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

Computing computing_named(std::string_view name) {
  if (name == "none") return Computing::None;
  return name == "torch" ? Computing::Torch : Computing::All;
}

}  // namespace

const Settings& settings() {
  static const Settings& only = *new Settings{
      .devices = std::atoi(text_of("FAKE_CUDA_DEVICES", "1")),
      .memory = std::strtoull(text_of("FAKE_CUDA_MEMORY", "8589934592"), nullptr, 0),
      .lag = std::chrono::microseconds(std::atoi(text_of("FAKE_CUDA_LAG_US", "0"))),
      .computing = computing_named(text_of("FAKE_CUDA_TWINS", "all")),
      .logs = std::getenv("FAKE_CUDA_LOG") != nullptr,
      .counts_file = text_of("FAKE_CUDA_COUNTS", ""),
  };
  return only;
}

}  // namespace fake_cuda

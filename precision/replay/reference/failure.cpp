// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/failure.h"

#include <c10/util/Exception.h>

#include <string_view>

namespace ampprof::reference {
namespace {

struct Cause {
  std::string_view part;  ///< part of LibTorch's message
  std::string_view phrase;
};

constexpr std::string_view kShape = "a shape depends on values, and the replayed values give another shape";
constexpr std::string_view kType = "LibTorch has no kernel for it in the reference's type";
constexpr std::string_view kIndex = "the replayed values give an index outside the tensor";
constexpr std::string_view kMemory = "there was too little memory";

constexpr Cause kCauses[]{{"must match the size of", kShape},
                          {"The expanded size of the tensor", kShape},
                          {"shape mismatch", kShape},
                          {"shapes cannot be multiplied", kShape},
                          {"is invalid for input of size", kShape},
                          {"Sizes of tensors must match", kShape},
                          {"not implemented for", kType},
                          {"index out of range", kIndex},
                          {"out of bounds", kIndex},
                          {"out of memory", kMemory},
                          {"can't allocate memory", kMemory}};

std::string_view first_line_of(const std::exception& error) {
  // what() would also resolve the symbols of the stack trace, which is slow.
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string_view whole = of_torch == nullptr ? error.what() : of_torch->what_without_backtrace();
  return whole.substr(0, whole.find('\n'));
}

}  // namespace

std::string reason_of(const std::exception& error) {
  const std::string_view message = first_line_of(error);
  for (const Cause& cause : kCauses) {
    if (message.find(cause.part) != std::string_view::npos) return std::string(cause.phrase);
  }
  return std::string(message);
}

}  // namespace ampprof::reference

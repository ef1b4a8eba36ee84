// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ampprof {

/// Id and text of an interned string.
struct InternedText {
  std::int64_t id = 0;
  std::string text;
};

}  // namespace ampprof

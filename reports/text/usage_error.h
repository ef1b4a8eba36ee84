// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace ampprof::text {

/// The user asked for something that cannot be done. The text is a sentence: what is wrong, where, and what to do.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ampprof::text

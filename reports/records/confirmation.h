// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof {

/// The outcome of a run of the program with one remedy of a finding.
struct Confirmation {
  std::string kind;      ///< kind of the finding
  std::string remedy;    ///< applied remedy: a policy line, or a word of `ampprof run --remedy`
  bool helped = false;   ///< the finding was gone or cost less than half, and no other harm was done
  std::string outcome;   ///< a sentence that compares the two runs
  std::string explains;  ///< kinds of other findings that were gone too, separated by commas

  bool operator==(const Confirmation&) const = default;
};

}  // namespace ampprof

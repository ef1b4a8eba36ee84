// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "reports/records/phase.h"

namespace re2 {
class RE2;
}

namespace ampprof::analysis {

/// An RE2 regular expression that may match anywhere in a name. An empty one matches every name.
class Pattern {
 public:
  static constexpr std::size_t kLongest = 1000;  ///< longest expression, in bytes

  /// An invalid expression. what() is RE2's message.
  class Error : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
  };

  Pattern() = default;
  /// Throws Error for an invalid expression. The caller has checked its length against kLongest.
  explicit Pattern(const std::string& expression);

  bool is_empty() const { return !regex_; }
  bool matches(const std::string& name) const;

 private:
  std::shared_ptr<const re2::RE2> regex_;
};

/// The call sites that a user selects.
struct SiteFilter {
  std::optional<Phase> phase = {};
  Pattern op = {};
  Pattern module = {};

  /// Tells whether the filter accepts everything.
  bool is_open() const { return !phase && op.is_empty() && module.is_empty(); }

  /// Tells whether the filter accepts a row with this phase, module and op. `of_phase` is empty for a row without a
  /// phase.
  bool lets_through(std::optional<Phase> of_phase, const std::string& of_module, const std::string& of_op) const {
    return (!phase || phase == of_phase) && op.matches(of_op) && module.matches(of_module);
  }
};

}  // namespace ampprof::analysis

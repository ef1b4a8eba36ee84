// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/views/view.h"

namespace re2 {
class RE2;
}

namespace ampprof::cli {

/// The call sites that --phase, --op and --module of a selection let through.
class SiteFilter {
 public:
  /// Throws UsageError for a word that is no phase, and for a wrong regular expression with what is wrong.
  explicit SiteFilter(const Selection& selection);

  /// Whether it lets everything through.
  bool is_open() const { return !phase_ && !op_ && !module_; }

  bool lets_through(std::string_view phase, const std::string& module, const std::string& op) const;

 private:
  std::optional<std::string> phase_;
  std::shared_ptr<const re2::RE2> op_;
  std::shared_ptr<const re2::RE2> module_;
};

}  // namespace ampprof::cli

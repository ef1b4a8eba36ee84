// SPDX-License-Identifier: Apache-2.0
#include "cli/views/site_filter.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <vector>

#include "cli/errors.h"
#include "cli/text/nearest.h"

namespace ampprof::cli {
namespace {

constexpr std::size_t kLongestPattern = 1000;  // a message shows it

std::shared_ptr<const re2::RE2> compiled(const char* flag, const std::optional<std::string>& pattern) {
  if (!pattern) return nullptr;
  if (pattern->size() > kLongestPattern) {
    throw UsageError(fmt::format("{}: a regular expression may have {} bytes, this one has {}.", flag, kLongestPattern,
                                 pattern->size()));
  }
  auto regex = std::make_shared<const re2::RE2>(*pattern, re2::RE2::Quiet);
  if (regex->ok()) return regex;
  throw UsageError(fmt::format(
      "{}: '{}' is not a regular expression: {}. Put a backslash before ( ) [ ] + * ? to mean the character "
      "itself.",
      flag, *pattern, regex->error()));
}

void check_phase(const std::optional<std::string>& phase) {
  std::vector<std::string> names;
  for (const Phase known : kPhases) names.emplace_back(name_of(known));
  if (!phase || std::ranges::find(names, *phase) != names.end()) return;
  throw UsageError(fmt::format("--phase: '{}' is not a phase.{} It is one of {}.", *phase, did_you_mean(*phase, names),
                               listed(names)));
}

bool matches(const std::shared_ptr<const re2::RE2>& regex, const std::string& text) {
  return !regex || re2::RE2::PartialMatch(text, *regex);
}

}  // namespace

SiteFilter::SiteFilter(const Selection& selection)
    : phase_(selection.phase), op_(compiled("--op", selection.op)), module_(compiled("--module", selection.module)) {
  check_phase(phase_);
}

bool SiteFilter::lets_through(std::string_view phase, const std::string& module, const std::string& op) const {
  return (!phase_ || *phase_ == phase) && matches(op_, op) && matches(module_, module);
}

}  // namespace ampprof::cli

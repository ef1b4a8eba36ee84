// SPDX-License-Identifier: Apache-2.0
#include "cli/views/site_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/errors.h"
#include "cli/text/nearest.h"

namespace ampprof::cli {
namespace {

// std::regex calls itself for each character, and a stack ends.
constexpr std::size_t kLongestPattern = 1000;
constexpr std::size_t kLongestSearched = 2000;

bool is_regex(const std::string& pattern) {
  try {
    (void)std::regex(pattern);
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

// <regex> does not tell where it stopped: the fault begins behind the longest part that is well by itself.
std::size_t fault_in(const std::string& pattern) {
  std::size_t well = pattern.size() - 1;
  while (well > 0 && !is_regex(pattern.substr(0, well))) --well;
  return well;
}

std::optional<std::regex> compiled(const char* flag, const std::optional<std::string>& pattern) {
  if (!pattern) return std::nullopt;
  if (pattern->size() > kLongestPattern) {
    throw UsageError(fmt::format("{}: a regular expression may have {} bytes, this one has {}.", flag, kLongestPattern,
                                 pattern->size()));
  }
  try {
    return std::regex(*pattern, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error&) {
    const std::size_t fault = fault_in(*pattern);
    throw UsageError(
        fmt::format("{}: '{}' is not a regular expression. It goes wrong at character {}, '{}'. Put a backslash before "
                    "( ) [ ] + * ? to mean the character itself.",
                    flag, *pattern, fault + 1, pattern->substr(fault)));
  }
}

void check_phase(const std::optional<std::string>& phase) {
  static const std::vector<std::string> kPhases{"forward", "backward", "optimizer", "inference"};
  if (!phase || std::ranges::find(kPhases, *phase) != kPhases.end()) return;
  throw UsageError(fmt::format("--phase: '{}' is not a phase.{} It is one of {}.", *phase,
                               did_you_mean(*phase, kPhases), listed(kPhases)));
}

bool matches(const std::optional<std::regex>& regex, const std::string& text) {
  if (!regex) return true;
  if (text.size() <= kLongestSearched) return std::regex_search(text, *regex);
  throw UsageError(
      fmt::format("The report has a name of {} bytes, and those of more than {} are not searched. Leave out --op and "
                  "--module; the report may be damaged.",
                  text.size(), kLongestSearched));
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

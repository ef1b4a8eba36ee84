// SPDX-License-Identifier: Apache-2.0
#include "views/ops/group_by.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/ops/nearest.h"
#include "reports/text/usage_error.h"

namespace ampprof::views {
namespace {

using analysis::GroupBy;

constexpr std::array kWords{std::pair{"module", analysis::GroupBy::Module}, std::pair{"op", analysis::GroupBy::Op},
                            std::pair{"class", analysis::GroupBy::Class}};

}  // namespace

const std::vector<std::string>& group_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const auto& [word, by] : kWords) names.emplace_back(word);
    return names;
  }();
  return kNames;
}

analysis::GroupBy group_by_from(const std::string& word) {
  const auto found = std::ranges::find(kWords, word, [](const auto& entry) { return std::string_view(entry.first); });
  if (found != kWords.end()) return found->second;
  throw text::UsageError(fmt::format("--group-by: use {}, not '{}'.{}", fmt::join(group_names(), " or "), word,
                                     analysis::did_you_mean(word, group_names())));
}

}  // namespace ampprof::views

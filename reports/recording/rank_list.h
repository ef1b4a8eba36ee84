// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

/// The list of ranks that record, each into its own report. The command line checks the list. The preload stub, which
/// links only libc and libstdc++, looks up its own rank.
namespace ampprof::recording {

/// Parses an integer of at least 0; returns nothing for other text.
inline std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc{} && end == last && number >= 0 ? std::optional(number) : std::nullopt;
}

/// The list of all ranks.
inline constexpr std::string_view kAllRanks = "all";

/// Every `step`-th rank from `first` up to, but excluding, `end`.
struct RankSlice {
  std::int64_t first = 0;
  std::optional<std::int64_t> end = {};
  std::int64_t step = 1;

  bool contains(std::int64_t rank) const {
    return rank >= first && (!end || rank < *end) && (rank - first) % step == 0;
  }
  bool operator==(const RankSlice&) const = default;
};

using RankList = std::vector<RankSlice>;

inline bool contains(const RankList& ranks, std::int64_t rank) {
  return std::ranges::any_of(ranks, [&](const RankSlice& slice) { return slice.contains(rank); });
}

/// Parses "8", "8:16", "8:16:4", ":4", "8:" or "::2", like Python slices without negative numbers. Returns nothing for
/// other text, and for a slice without a rank.
inline std::optional<RankSlice> rank_slice_from(std::string_view text) {
  std::array<std::optional<std::int64_t>, 3> numbers;
  std::size_t count = 0;
  while (true) {
    if (count == numbers.size()) return std::nullopt;
    const auto colon = std::min(text.find(':'), text.size());
    const std::string_view part = text.substr(0, colon);
    numbers[count] = number_in(part);
    if (!part.empty() && !numbers[count]) return std::nullopt;
    ++count;
    if (colon == text.size()) break;
    text.remove_prefix(colon + 1);
  }
  if (count == 1) {
    if (!numbers[0] || *numbers[0] == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return RankSlice{*numbers[0], *numbers[0] + 1};
  }
  const RankSlice slice{numbers[0].value_or(0), numbers[1], numbers[2].value_or(1)};
  return slice.step == 0 || (slice.end && *slice.end <= slice.first) ? std::nullopt : std::optional(slice);
}

/// Parses "all", or slices separated by commas.
inline std::optional<RankList> rank_list_from(std::string_view text) {
  if (text == kAllRanks) return RankList{RankSlice{}};
  RankList ranks;
  while (true) {
    const auto comma = std::min(text.find(','), text.size());
    const auto slice = rank_slice_from(text.substr(0, comma));
    if (!slice) return std::nullopt;
    ranks.push_back(*slice);
    if (comma == text.size()) return ranks;
    text.remove_prefix(comma + 1);
  }
}

/// Returns the name of one rank's file: "r-rank3.ampprof" for "r.ampprof".
inline std::string file_of_rank(std::string_view file, std::string_view rank) {
  constexpr std::string_view kExtension = ".ampprof";
  const bool has_extension = file.ends_with(kExtension);
  std::string name(file.substr(0, file.size() - (has_extension ? kExtension.size() : 0)));
  return name.append("-rank").append(rank).append(has_extension ? kExtension : "");
}

}  // namespace ampprof::recording

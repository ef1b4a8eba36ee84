// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/rank_rows.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ampprof::gui {
namespace {

constexpr const char* kRank = "rank";
constexpr const char* kStandsOut = "stands_out";

bool stands_out(const views::View& view, const views::Record& record) {
  return views::value_at(view, record, kStandsOut) == views::Value(true);
}

std::optional<std::int64_t> integer_at(const views::View& view, const views::Record& record, const char* key) {
  const auto* number = std::get_if<std::int64_t>(&views::value_at(view, record, key));
  return number == nullptr ? std::nullopt : std::optional(*number);
}

/// Returns the index of the column with a key; if there is none, the number of columns.
std::ptrdiff_t place_of_column(const views::View& view, const char* key) {
  return std::ranges::find(view.columns, key, &views::Column::key) - view.columns.begin();
}

/// Returns the text of a record in the column with a key; "" if there is none.
std::string shown_at(const views::View& view, const views::Record& record, const char* key) {
  const std::ptrdiff_t place = place_of_column(view, key);
  return place < std::ssize(record.cells) ? record.cells[static_cast<std::size_t>(place)].text : std::string();
}

/// Returns the texts of a record in which a pattern is searched.
std::vector<std::string> texts_of(const views::View& view, const views::Record& record) {
  std::vector<std::string> texts{shown_at(view, record, kStandsOut)};
  if (const auto rank = integer_at(view, record, kRank)) texts.push_back("rank " + std::to_string(*rank));
  for (const char* key : {"level", "host", "first_nonfinite_op"}) texts.push_back(views::text_at(view, record, key));
  std::erase(texts, "");
  return texts;
}

/// Moves the element at `from` to just after `to`, which must be less than `from`.
template <class T>
void move_behind(std::vector<T>& all, std::ptrdiff_t to, std::ptrdiff_t from) {
  std::rotate(all.begin() + to + 1, all.begin() + from, all.begin() + from + 1);
}

}  // namespace

bool RankFilter::letsThrough(const views::View& view, const views::Record& record) const {
  if (only_standing_out && !stands_out(view, record)) return false;
  if (pattern.is_empty()) return true;
  return std::ranges::any_of(texts_of(view, record), [&](const std::string& text) { return pattern.matches(text); });
}

void putMarksFirst(views::View& view) {
  const std::ptrdiff_t rank = place_of_column(view, kRank);
  const std::ptrdiff_t mark = place_of_column(view, kStandsOut);
  if (mark <= rank || mark == std::ssize(view.columns)) return;
  move_behind(view.columns, rank, mark);
  for (views::Record& record : view.records) {
    if (stands_out(view, record)) {
      record.cells[static_cast<std::size_t>(rank)].tone = record.cells[static_cast<std::size_t>(mark)].tone;
    }
    move_behind(record.cells, rank, mark);
  }
}

RunPlace placeOf(const views::View& view, const views::Record& record) {
  RunPlace place{.run = integer_at(view, record, "run").value_or(0)};
  for (const char* key : {"first_nonfinite_step", "diverges_in_step"}) {
    const auto step = integer_at(view, record, key);
    if (step) place.step = std::min(*step, place.step.value_or(*step));
  }
  return place;
}

bool sawOverflow(const views::View& view, const views::Record& record) {
  return integer_at(view, record, "first_nonfinite_step").has_value();
}

}  // namespace ampprof::gui

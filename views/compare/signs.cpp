// SPDX-License-Identifier: Apache-2.0
#include "views/compare/signs.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/compare/compare_samples.h"
#include "views/table/view.h"

namespace ampprof::views {
namespace {

using compare::Verdict;

struct Sign {
  char sign;
  const char* meaning;
};

constexpr Sign kDiffers{'*', "differs"};
constexpr Sign kCannotTell{'?', "cannot be told from noise"};
constexpr Sign kMatches[] = {{'-', "only on the first side"}, {'+', "only on the second side"}, {'~', "renamed"}};

std::string explained(const Sign& sign) { return fmt::format("\"{}\": {}", sign.sign, sign.meaning); }

std::string behind_figure(const Sign& sign) { return {' ', sign.sign}; }

bool has_cell_ending_in(const View& view, const std::string& back) {
  return std::ranges::any_of(view.records, [&](const Record& record) {
    return std::ranges::any_of(record.cells, [&](const Cell& cell) { return cell.text.ends_with(back); });
  });
}

bool has_row_beginning_with(const View& view, const std::string& front) {
  return std::ranges::any_of(view.records,
                             [&](const Record& record) { return record.cells.front().text.starts_with(front); });
}

}  // namespace

std::string sign_of(const compare::Compared& compared) {
  if (!compared.verdict || *compared.verdict == Verdict::Same) return "";
  return behind_figure(*compared.verdict == Verdict::Differs ? kDiffers : kCannotTell);
}

std::string signs_explained() {
  return "In tables, " + explained(kDiffers) + "; " + explained(kCannotTell) + ", for lack of repeats.";
}

std::string legend(const View& runs, const View& sites) {
  std::string text;
  const auto explain = [&](const Sign& sign) { text += (text.empty() ? "" : "; ") + explained(sign); };
  for (const Sign& sign : {kDiffers, kCannotTell}) {
    const std::string back = behind_figure(sign);
    if (has_cell_ending_in(runs, back) || has_cell_ending_in(sites, back)) explain(sign);
  }
  for (const Sign& sign : kMatches) {
    if (has_row_beginning_with(sites, {sign.sign, ' '})) explain(sign);
  }
  return text;
}

}  // namespace ampprof::views

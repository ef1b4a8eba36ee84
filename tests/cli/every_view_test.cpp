// SPDX-License-Identifier: Apache-2.0
// Every view of every stand-in report, whole: its columns with all that tables and the window know of them, its cells
// with their tones, its JSON; then what is said of the report, and how its runs differ. golden/views_of_<report>.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "analysis/comparison.h"
#include "tests/cli/golden.h"
#include "tests/cli/gpu_report.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/probed_report.h"
#include "tests/cli/repeated_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/reports/sample_report.h"
#include "views/all_views.h"
#include "views/answer.h"
#include "views/difference.h"
#include "views/summary.h"

namespace ampprof::cli {
namespace every_view_test {

constexpr std::size_t kMostRecords = 8;  // of a view

const char* word_of(text::Tone tone) {
  constexpr const char* kWords[]{"", "strong:", "faint:", "good:", "bad:", "attention:"};
  return kWords[static_cast<int>(tone)];
}

std::string columns_of(const views::View& view) {
  std::ostringstream out;
  for (const views::Column& column : view.columns) {
    out << "  " << (column.title.empty() ? "(no title)" : column.title) << ": key " << column.key << ", spare "
        << column.spare << (column.align == views::Align::Right ? ", right" : "")
        << (column.flexible ? ", flexible" : "") << (column.drawing ? ", drawing" : "") << '\n';
  }
  return out.str();
}

std::string whole(const views::View& view) {
  std::ostringstream out;
  out << "== " << view.name << (view.wraps ? ", wraps" : "") << ", " << view.records.size() << " records\n"
      << columns_of(view);
  for (std::size_t i = 0; i < std::min(kMostRecords, view.records.size()); ++i) {
    const views::Record& record = view.records[i];
    for (const views::Cell& cell : record.cells) out << '[' << word_of(cell.tone) << cell.text << ']';
    out << '\n' << record.json.dump() << '\n';
  }
  return out.str();
}

/// A report that is read, with what views are made from.
struct Opened {
  explicit Opened(const std::filesystem::path& path) : report(path), runs(queries::runs(report)) {}

  views::ViewSource source(std::optional<analysis::Grouping> grouping = {}) const {
    return {.report = report, .runs = runs, .targets = analysis::Targets(runs), .grouping = std::move(grouping)};
  }

  analysis::SideOf side(const std::string& level, const std::string& target_gpu) const {
    std::vector<queries::RunRow> chosen;
    std::ranges::copy_if(runs, std::back_inserter(chosen), [&](const auto& run) { return run.level == level; });
    const auto records_of = [&](std::int64_t run) -> const analysis::RunRecords& {
      const auto [place, is_new] = records.try_emplace(run);
      if (is_new) place->second = {queries::ops(report, run), queries::events(report, run)};
      return place->second;
    };
    return analysis::side_of("r", runs, chosen, target_gpu, records_of);
  }

  queries::Report report;
  std::vector<queries::RunRow> runs;
  mutable std::map<std::int64_t, analysis::RunRecords> records;
};

std::string every_view(const Opened& opened) {
  std::string text;
  for (const views::NamedView& view : views::all_views()) {
    views::ViewSource source = opened.source();
    text += whole(view.make(source));
    if (!view.takes_grouping) continue;
    views::ViewSource grouped = opened.source(analysis::Grouping{.by = analysis::GroupBy::Class, .filter = {}});
    text += "by class: " + whole(view.make(grouped));
  }
  return text;
}

std::string what_is_said(const Opened& opened) {
  views::ViewSource source = opened.source();
  const analysis::ReportRows rows = views::rows_of(source);
  std::string text = "== answer\n";
  for (const views::Sentence& sentence : views::answer(rows, source.targets)) {
    text += std::string(word_of(sentence.tone)) + sentence.text + " (" + std::string(sentence.view) + ")\n";
  }
  for (const int width : {60, 100, 200}) {
    text += "== summary, " + std::to_string(width) + " columns\n" +
            views::summary("r.ampprof", rows, source.targets, views::Format::Table,
                           {.width = width, .is_terminal = true, .colours = true});
  }
  return text;
}

/// O1 against O0, judged for a GPU of another architecture on each side.
std::string how_levels_differ(const Opened& opened) {
  const auto has = [&](const char* level) {
    return std::ranges::count(opened.runs, level, &queries::RunRow::level) > 0;
  };
  if (!has("O0") || !has("O1")) return "";
  const analysis::Compilation pair(opened.side("O0", "sm_70"), opened.side("O1", "sm_90"), {.apply_suggestions = true});
  return whole(views::run_difference_view(pair.side_by_side())) +
         whole(views::site_difference_view(pair.side_by_side()));
}

struct StandIn {
  const char* name;
  void (*write)(const std::filesystem::path& path);
};

class EveryView : public testing::TestWithParam<StandIn> {};

TEST_P(EveryView, IsWhatItWas) {
  const testing_reports::TemporaryFolder folder;
  GetParam().write(folder / "r.ampprof");
  const Opened opened(folder / "r.ampprof");
  expect_golden("views_of_" + std::string(GetParam().name) + ".txt",
                every_view(opened) + what_is_said(opened) + how_levels_differ(opened));
}

INSTANTIATE_TEST_SUITE_P(Reports, EveryView,
                         testing::Values(StandIn{"gpu", write_gpu_report}, StandIn{"layers", write_layered_report},
                                         StandIn{"probed", write_probed_report},
                                         StandIn{"repeated",
                                                 [](const auto& path) {
                                                   write_repeated_report(path, {.slowness = 1.5, .overflows = true});
                                                 }},
                                         StandIn{"digits", write_synthetic_report}),
                         [](const auto& info) { return info.param.name; });

}  // namespace every_view_test
}  // namespace ampprof::cli

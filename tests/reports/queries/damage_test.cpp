// SPDX-License-Identifier: Apache-2.0
// Checks that reading a damaged report fails, or returns all rows.
#include <gtest/gtest.h>

#include <random>

#include "reports/queries/calls.h"
#include "reports/queries/casts.h"
#include "reports/queries/checksums.h"
#include "reports/queries/collectives.h"
#include "reports/queries/decisions.h"
#include "reports/queries/events.h"
#include "reports/queries/gaps.h"
#include "reports/queries/gpu_activities.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/nvtx_ranges.h"
#include "reports/queries/ops.h"
#include "reports/queries/probes.h"
#include "reports/queries/recipes.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/queries/segments.h"
#include "reports/queries/sketches.h"
#include "reports/queries/span_activities.h"
#include "reports/queries/spans.h"
#include "reports/queries/stale_casts.h"
#include "reports/queries/trials.h"
#include "reports/queries/updates.h"
#include "reports/queries/user_query.h"
#include "reports/records/step.h"
#include "reports/records/time_span.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace damage_test {

namespace fs = std::filesystem;

using testing_reports::bytes_of;
using testing_reports::TemporaryFolder;
using testing_reports::write_bytes;

constexpr int kRounds = 500;  // damaged reports for each of four seeds

/// Returns everything in a report as text, so that two reads can be compared.
std::string everything_of(const fs::path& path) {
  const queries::Report report(path);
  std::string said;
  const auto say = [&said](const auto&... what) { ((said += std::to_string(what) + ' '), ...); };
  for (const queries::RunRow& run : queries::runs(report)) {
    said += run.level + run.program + run.settings_json;
    say(run.steps, run.op_calls, run.nonfinite_ops, run.final_loss.value_or(0),
        queries::last_step(report, run.run).value_or(0));
    for (const Segment& segment : queries::segments(report, run.run))
      say(segment.step, segment.start_ns, segment.end_ns);
    const TimeSpan span = queries::span_of_calls(report, run.run).value_or(TimeSpan{});
    for (const queries::TrackRow& track : queries::track_summary(report, run.run, span, 10).tracks)
      say(track.bins.front().front());
    for (const queries::TrackRow& track :
         queries::track_summary(report, run.run, span, 10, queries::TrackKind::Streams).tracks)
      say(track.track.value_or(0));
    say(queries::span_activities(report, run.run, span, 100).has_value(),
        queries::span_ranges(report, run.run, span, 100).ranges.size());
    say(queries::range_depths(report, run.run).size(), queries::gaps(report, run.run).size());
    say(queries::span_totals(report, run.run, span, 0).calls,
        queries::span_calls(report, run.run, span, 100).has_value());
    queries::each_call(report, run.run,
                       [&](const queries::TimedCall& call) { say(call.start_ns, call.local_rel_l2.value_or(0)); });
  }
  for (const queries::RunRow& run : queries::runs(report)) {
    for (const queries::SketchRow& row : queries::sketches(report, run.run)) say(row.step, row.sketch.checksum);
  }
  say(queries::decisions(report).size(), queries::gradient_errors(report).size(),
      queries::recipe_matmuls(report).size(), queries::trials(report).size());
  for (const queries::RunRow& run : queries::runs(report)) {
    say(queries::collectives(report, run.run).size(), queries::collective_sketches(report, run.run).size());
    say(queries::parameter_checksums(report, run.run).size());
  }
  for (const queries::OpRow& op : queries::ops(report)) {
    said += op.call_site + op.signature + op.source;
    say(op.calls, op.cpu_us, op.local ? op.local->relative_l2() : 0.0, op.ranges ? op.ranges->amax : 0.0);
  }
  for (const queries::EventRow& event : queries::events(report)) {
    said += event.first_op;
    say(event.step, event.parameters.size(), event.chain.size());
  }
  for (const queries::MissingRow& row : queries::missing(report)) said += row.missing.what + row.missing.remedy;
  for (const queries::ImpactRow& row : queries::impacts(report)) say(row.steps, row.impact.value_or(0));
  for (const queries::GpuActivityRow& row : queries::gpu_activities(report))
    said += row.use.name, say(row.use.count, row.use.gpu_us);
  for (const queries::CastRow& row : queries::casts(report)) say(row.total.casts, row.total.bytes);
  say(queries::probe_times(report).size(), queries::probe_algorithms(report).size());
  for (const queries::StaleCastRow& row : queries::stale_casts(report)) say(row.hits);
  for (const queries::UpdateRow& row : queries::updates(report)) say(row.total.count);
  for (const queries::ScaleRow& row : queries::scales(report)) say(row.update.scale_after);
  for (const queries::LossRow& row : queries::losses(report)) say(row.loss.value);
  return said;
}

/// Returns a query that counts the rows of all tables: "SELECT (SELECT count(*) FROM run), ...".
std::string query_for_counts(const fs::path& path) {
  std::string sql;
  queries::UserQuery tables(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
                            10);
  while (const auto row = tables.next()) {
    sql += (sql.empty() ? "SELECT " : ", ") + ("(SELECT count(*) FROM " + std::get<std::string>(row->front()) + ')');
  }
  return sql;
}

// Returns whether the report could be read. Fails the test on any exception but ReportError.
bool is_readable(const fs::path& path) {
  try {
    EXPECT_EQ(everything_of(path), everything_of(path));
    return true;
  } catch (const store::ReportError&) {
    return false;
  }
}

std::string damaged(std::string bytes, std::mt19937& random) {
  // Overwrites 1 to 256 bytes.
  const std::size_t places = std::size_t{1} << random() % 9;
  for (std::size_t i = 0; i < places; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
  return bytes;
}

class DamagedBytes : public testing::TestWithParam<unsigned> {};

TEST_P(DamagedBytes, GivesAllRowsOrAReportError) {
  const TemporaryFolder folder;
  testing_reports::write_sample_report(folder / "whole");
  const std::string whole = bytes_of(folder / "whole");
  const std::string sql = query_for_counts(folder / "whole");
  const auto counts = queries::UserQuery(folder / "whole", sql, 10).next();
  ASSERT_TRUE(counts);
  std::mt19937 random(GetParam());
  int readable = 0;
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    write_bytes(folder / "r", damaged(whole, random));
    if (!is_readable(folder / "r")) continue;
    ++readable;
    try {
      EXPECT_EQ(queries::UserQuery(folder / "r", sql, 10).next(), counts);
    } catch (const store::ReportError&) {  // everything_of() may not have read the damaged page
    }
  }
  // Some damaged reports must be refused and some must stay readable; else the rounds test nothing.
  EXPECT_GT(readable, kRounds / 20);
  EXPECT_LT(readable, kRounds * 19 / 20);
}

INSTANTIATE_TEST_SUITE_P(Seeds, DamagedBytes, testing::Range(1u, 5u));

std::int64_t indexes_in(const fs::path& path) {
  store::Database database(path, store::OpenMode::Read);
  store::Statement count(database, "SELECT count(*) FROM sqlite_schema WHERE type = 'index'");
  return count.next() ? count.integer() : 0;
}

// Lowers the number of cells in the header of a page. SQLite trusts that number.
TEST(DamagedReport, NeverLosesRowsInSilence) {
  constexpr std::size_t kPage = 4096;
  constexpr char kLeafOfTable = 13;
  constexpr std::size_t kCountOfCells = 4;  // offset of the low byte of the number of cells
  const TemporaryFolder folder;
  testing_reports::write_sample_report(folder / "whole");
  const std::string whole = bytes_of(folder / "whole");
  const std::string said = everything_of(folder / "whole");
  int tried = 0;
  int refused = 0;
  for (std::size_t page = kPage; page < whole.size(); page += kPage) {
    if (whole[page] != kLeafOfTable || whole[page + kCountOfCells] < 2) continue;
    std::string bytes = whole;
    --bytes[page + kCountOfCells];
    write_bytes(folder / "r", bytes);
    ++tried;
    try {
      EXPECT_EQ(everything_of(folder / "r"), said) << "page " << page / kPage;
      EXPECT_EQ(indexes_in(folder / "r"), indexes_in(folder / "whole") - 1) << "the loss of an index alone is none";
    } catch (const store::ReportError&) {
      ++refused;
    }
  }
  EXPECT_GT(tried, 3);
  EXPECT_GE(refused, tried / 2) << "most pages hold rows, or the definition of a table";
}

// Several threads check a large report, each with its own connection. The result must be that of one thread.
TEST(DamagedReport, SaysTheSameWhereItIsLarge) {
  const TemporaryFolder folder;
  testing_reports::write_sample_report(folder / "whole");
  const std::string whole = bytes_of(folder / "whole");
  std::mt19937 random(3);
  const auto said_of = [&](const std::string& bytes, std::uintmax_t size) -> std::string {
    write_bytes(folder / "r", bytes);
    fs::resize_file(folder / "r", size);  // SQLite ignores bytes after the last page
    try {
      return everything_of(folder / "r");
    } catch (const store::ReportError&) {
      return "ReportError";
    }
  };
  int refused = 0;
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    const std::string bytes = round == 0 ? whole : damaged(whole, random);
    const std::string said = said_of(bytes, bytes.size());
    EXPECT_EQ(said_of(bytes, 20 << 20), said);
    refused += said == "ReportError" ? 1 : 0;
  }
  EXPECT_GT(refused, 10);
  EXPECT_LT(refused, 100);
}

TEST(DamagedLog, GivesDataOrAReportError) {
  const TemporaryFolder folder;
  store::create_report(folder / "whole", false);
  store::ReportWriter writer(folder / "whole");
  writer.append(writer.begin_run(testing_reports::start_of("O1")), testing_reports::two_steps());
  const std::string file = bytes_of(folder / "whole");
  const std::string log = bytes_of(folder / "whole-wal");
  ASSERT_FALSE(log.empty());
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    const fs::path path = folder / ("r" + std::to_string(round));
    write_bytes(path, file);
    write_bytes(path.string() + "-wal", damaged(log, random));
    (void)is_readable(path);
  }
}

}  // namespace damage_test
}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#include "reports/store/totals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reports/store/oldest_details.h"
#include "reports/store/report_error.h"
#include "reports/store/writer.h"
#include "tests/reports/random_calls.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace totals_test {

using testing_reports::RandomCalls;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;

class Totals : public ::testing::Test {
 protected:
  Totals() { store::create_report(path_, false); }

  Batch batch_of(std::int64_t segment) {
    Batch batch = late_batch_of(segment);
    batch.segments = {{.id = segment, .step = segment, .position = static_cast<std::int32_t>(segment % 2)}};
    return batch;
  }

  /// Returns a batch of further calls for a segment that the report already has.
  Batch late_batch_of(std::int64_t segment) {
    Batch batch;
    for (int i = 0; i < 30; ++i) batch.calls.push_back(random_.call(segment, 9));
    for (int i = 0; i < 5; ++i) batch.casts.push_back(random_.cast(segment, 9));
    for (int i = 0; i < 9; ++i) batch.activities.push_back(random_.activity(segment, 9));
    const auto position = static_cast<std::int32_t>(segment % 2);
    for (const OpCall& call : batch.calls) expected_[{call.call_site, position}].add(call);
    for (const CastRecord& cast : batch.casts) expected_[{cast.call_site, position}].add(cast);
    for (const GpuActivity& activity : batch.activities) expected_[{activity.call_site, position}].add(activity);
    return batch;
  }

  void expect_whole() {
    store::Database database(path_, store::OpenMode::Read);
    const OpTotals totals = store::read_totals(database, run_);
    const OpTotals counts = store::read_counts(database, run_);
    ASSERT_EQ(totals.size(), expected_.size());
    store::RunCounts all;
    std::set<std::int64_t> nonfinite;
    for (const auto& [place, total] : expected_) {
      all.calls += total.calls;
      for (const CastRecord& cast : total.casts) all.casts += cast.casts;
      if (total.nonfinite_calls > 0) nonfinite.insert(place.first);
      const OpTotal& actual = totals.at(place);
      EXPECT_EQ(actual.calls, total.calls);
      EXPECT_EQ(actual.duration_ns, total.duration_ns);
      EXPECT_EQ(actual.local, total.local);
      EXPECT_EQ(actual.ranges, total.ranges);
      EXPECT_EQ(actual.inherited, total.inherited);
      EXPECT_EQ(actual.exponents, total.exponents);
      EXPECT_EQ(actual.scale, total.scale);
      EXPECT_EQ(actual.variants.size(), total.variants.size());
      EXPECT_EQ(actual.casts.size(), total.casts.size());
      EXPECT_TRUE(std::ranges::is_permutation(actual.activities, total.activities));
      if (total.calls == 0) continue;
      EXPECT_EQ(counts.at(place).calls, total.calls);
      EXPECT_EQ(counts.at(place).nonfinite_calls, total.nonfinite_calls);
    }
    const store::RunCounts counted = store::count_calls(database, run_);
    EXPECT_EQ(counted.calls, all.calls);
    EXPECT_EQ(counted.casts, all.casts);
    EXPECT_EQ(counted.nonfinite_sites, std::ssize(nonfinite));
  }

  std::int64_t chunks_behind_totals() {
    store::Database database(path_, store::OpenMode::Read);
    return store::newest_chunk(database, run_) - store::rolled_up_to(database, run_);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "r.ampprof";
  RandomCalls random_{5};
  std::int64_t run_ = 0;
  OpTotals expected_;
};

TEST_F(Totals, AreWholeAtAnyMoment) {
  store::ReportWriter writer(path_);
  run_ = writer.begin_run(start_of("O1"));
  bool has_lagged = false;
  bool was_rolled_up = false;
  for (std::int64_t segment = 1; segment <= 60; ++segment) {
    writer.append(run_, batch_of(segment));
    expect_whole();
    has_lagged = has_lagged || chunks_behind_totals() > 1;
    was_rolled_up = was_rolled_up || chunks_behind_totals() == 1;
  }
  EXPECT_TRUE(has_lagged) << "else this tests less than it should";
  EXPECT_TRUE(was_rolled_up);
  writer.detach(run_, {});
  EXPECT_EQ(chunks_behind_totals(), 0);
  expect_whole();
  store::Database database(path_, store::OpenMode::Read);
  store::Statement row(database, "SELECT count(*) FROM op_total WHERE calls = 0");
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.integer(), 0) << "what is outside of any op call has no row there";
  EXPECT_EQ(store::rolled_up_to(database, run_ + 1), 0) << "no such run";
  EXPECT_EQ(store::newest_chunk(database, run_ + 1), 0);
}

TEST_F(Totals, GoOnWithoutChunks) {
  {
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    for (std::int64_t segment = 1; segment <= 10; ++segment) writer.append(run_, batch_of(segment));
    for (std::int64_t segment = 11; segment <= 60; ++segment) writer.append_totals(run_, batch_of(segment));
    writer.append_totals(run_, late_batch_of(7));
    writer.detach(run_, {});
  }
  expect_whole();
  store::Database database(path_, store::OpenMode::Read);
  EXPECT_EQ(store::newest_chunk(database, run_), 10);
  EXPECT_EQ(store::rolled_up_to(database, run_), 10);
}

TEST_F(Totals, HoldWhatIsDroppedOfTheOldestSteps) {
  constexpr std::int64_t kAll = 600;
  {
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    for (std::int64_t segment = 1; segment <= kAll; ++segment) {
      Batch batch = batch_of(segment);
      batch.impacts.push_back({.segment = segment, .name = "w", .impact = 1.0});
      writer.append(run_, batch);
    }
    store::Database database(path_, store::OpenMode::Read);
    const std::int64_t used = store::used_bytes(database);
    EXPECT_EQ(writer.make_room({&run_, 1}, used + 1), used) << "there is room";
    EXPECT_LT(writer.make_room({&run_, 1}, used), used);
    for (std::int64_t segment = kAll + 1; segment <= kAll + 10; ++segment) writer.append(run_, batch_of(segment));
    EXPECT_GT(writer.make_room({&run_, 1}, 1), 1) << "totals stay";
    writer.append(run_, batch_of(kAll + 11));
    writer.detach(run_, {});
  }
  expect_whole();
  store::Database database(path_, store::OpenMode::Read);
  std::set<std::int64_t> segments;
  store::each_call(database, run_, [&](const OpCall& call) { segments.insert(call.segment); });
  EXPECT_FALSE(segments.contains(kAll));
  EXPECT_TRUE(segments.contains(kAll + 11));
  store::Statement rows(database, "SELECT count(*) FROM loss_impact");
  ASSERT_TRUE(rows.next());
  EXPECT_LE(rows.integer(), 1);
  store::Statement lacks(database, "SELECT count FROM missing WHERE what = 'loss impacts'");
  ASSERT_TRUE(lacks.next());
  EXPECT_GE(lacks.integer(), kAll - 1);
}

TEST_F(Totals, TellSoManyVariantsApart) {
  OpTotal total;
  for (std::int64_t signature = 1; signature <= 100; ++signature) {
    OpCall call;
    call.signature = signature;
    call.dtype_in = DType::Float;
    total.add(call);
    total.add(call);
  }
  ASSERT_EQ(total.variants.size(), OpTotal::kMostVariants + 1);
  const auto& [variant, calls] = total.variants.back();
  EXPECT_EQ(variant, (OpVariant{kOtherShapes, DType::Float, DType::Unknown}));
  EXPECT_EQ(calls, 2 * (100 - static_cast<std::int64_t>(OpTotal::kMostVariants)));
  OpTotal other;
  other.merge(total);
  EXPECT_EQ(other.variants, total.variants);
}

TEST_F(Totals, CountACallOnceWhereThreadsWereLate) {
  store::ReportWriter writer(path_);
  run_ = writer.begin_run(start_of("O1"));
  for (std::int64_t segment = 2; segment <= 60; segment += 2) {
    writer.append(run_, late_batch_of(segment));
    writer.append(run_, late_batch_of(segment - 1));
    writer.append(run_, batch_of(segment - 1));
    writer.append(run_, batch_of(segment));
    expect_whole();
  }
}

TEST_F(Totals, OfAProgramThatWasKilledAreMadeWhenItsRunEnds) {
  {
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    for (std::int64_t segment = 1; segment <= 4; ++segment) writer.append(run_, batch_of(segment));
  }
  EXPECT_GT(chunks_behind_totals(), 0);
  store::ReportWriter(path_).end_run(run_, 137);
  EXPECT_EQ(chunks_behind_totals(), 0);
  expect_whole();
}

TEST_F(Totals, OfTwoWritersOfOneRunAddUp) {
  store::ReportWriter first(path_);
  store::ReportWriter second(path_);
  run_ = first.begin_run(start_of("O1"));
  for (std::int64_t segment = 1; segment <= 40; segment += 2) {
    first.append(run_, batch_of(segment));
    second.append(run_, batch_of(segment + 1));
  }
  second.detach(run_, {});
  expect_whole();
}

TEST_F(Totals, AreNotMadeOfChunksThatAreMissingOrDamaged) {
  {
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    for (std::int64_t segment = 1; segment <= 3; ++segment) writer.append(run_, batch_of(segment));
  }
  for (const char* damage :
       {"DELETE FROM call_chunk WHERE id = 2", "UPDATE call_chunk SET count = count - 1",
        "UPDATE call_chunk SET activity_count = activity_count + 1", "UPDATE call_chunk SET calls = x'ffffff'",
        "UPDATE call_chunk SET casts = x'ff'", "UPDATE call_chunk SET activities = x'ff'"}) {
    SCOPED_TRACE(damage);
    const auto copy = folder_.path() / "damaged";
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    store::Database(copy, store::OpenMode::Write).run(damage);
    store::Database database(copy, store::OpenMode::Read);
    EXPECT_THROW(store::read_totals(database, run_), store::ReportError);
    EXPECT_THROW(store::each_call(database, run_, [](const OpCall&) {}), store::ReportError);
  }
}

TEST_F(Totals, OfAMissingLastChunkAreNotGivenAsACallList) {
  {
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    for (std::int64_t segment = 1; segment <= 3; ++segment) writer.append(run_, batch_of(segment));
    writer.detach(run_, {});
  }
  store::Database(path_, store::OpenMode::Write).run("DELETE FROM call_chunk WHERE id = 3");
  store::Database database(path_, store::OpenMode::Read);
  EXPECT_THROW(store::each_call(database, run_, [](const OpCall&) {}), store::ReportError);
  expect_whole();  // the totals still include the deleted chunk
}

TEST_F(Totals, OfADamagedChunkAreRefused) {
  {
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    writer.append(run_, batch_of(1));
  }
  store::Database(path_, store::OpenMode::Write).run("UPDATE call_chunk SET calls = x'ffffff'");
  store::Database database(path_, store::OpenMode::Read);
  EXPECT_THROW(store::read_totals(database, run_), store::ReportError);
}

}  // namespace totals_test
}  // namespace ampprof

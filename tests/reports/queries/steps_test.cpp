// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "reports/queries/casts.h"
#include "reports/queries/gpu_activities.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/scales.h"
#include "reports/queries/site_steps.h"
#include "reports/queries/step_errors.h"
#include "reports/records/batch.h"
#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/merge_optional.h"
#include "reports/records/statistics.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "reports/store/writer.h"
#include "tests/reports/random_calls.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace steps_test {

using testing_reports::RandomCalls;
using testing_reports::site;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;
using testing_reports::two_steps;

constexpr int kSites = 7;
constexpr std::int64_t kSteps = 12;
constexpr queries::StepSpan kAll{.first = 0, .last = kSteps};

/// A run with two segments per step, each with random calls, a cast and a GPU activity.
class Steps : public ::testing::Test {
 protected:
  Steps() {
    store::create_report(path_, false);
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    Batch batch;
    batch.signatures = {{1, "f32[8,4]"}};
    for (int id = 1; id <= kSites; ++id) batch.call_sites.push_back(site(id, Phase::Forward, "fc", "mm", id));
    for (std::int64_t id = 1; id <= 2 * kSteps; ++id) {
      batch.segments.push_back({.id = id, .step = (id + 1) / 2, .position = static_cast<std::int32_t>(id % 2)});
      for (int i = 0; i < 20; ++i) batch.calls.push_back(random_.call(id, kSites));
      batch.casts.push_back({id, 1 + id % kSites, DType::Float, DType::Half, 3, 1, 1'000 * id, 2'000, id % 2});
      batch.activities.push_back({.segment = id, .call_site = 1 + id % 3, .duration_ns = 100 * id, .name = 1});
    }
    writer.append(run_, batch);
    writer.end_run(run_, 0);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "r.ampprof";
  RandomCalls random_{11};
  std::int64_t run_ = 0;
};

/// Divides magnitudes by the last loss scale of a row. Rows and their sum may have different last scales.
std::optional<RangeStats> unscaled(std::optional<RangeStats> ranges, std::optional<double> scale) {
  if (!ranges) return ranges;
  for (double* magnitude : {&ranges->amax, &ranges->smallest, &ranges->reference_amax}) *magnitude /= scale.value_or(1);
  return ranges;
}

std::optional<ExponentHistogram> unscaled(const std::optional<ExponentHistogram>& exponents,
                                          std::optional<double> scale) {
  if (!exponents) return exponents;
  return exponents->shifted(-std::ilogb(scale.value_or(1)));
}

/// Statistics that can be summed over rows.
struct Sums {
  std::int64_t calls = 0;
  std::optional<ErrorStats> local;
  std::optional<ErrorStats> inherited;
  std::optional<RangeStats> ranges;

  template <class Row>
  void add(const Row& row) {
    calls += row.calls;
    merge_optional(local, row.local);
    merge_optional(inherited, row.inherited);
    merge_optional(ranges, unscaled(row.ranges, row.scale));
  }
  bool operator==(const Sums&) const = default;
};

struct SiteSums : Sums {
  std::optional<ExponentHistogram> exponents;
  std::optional<ExponentHistogram> inherited_exponents;

  void add(const queries::OpRow& row) {
    Sums::add(row);
    merge_optional(exponents, unscaled(row.exponents, row.scale));
    merge_optional(inherited_exponents, unscaled(row.inherited_exponents, row.scale));
  }
  bool operator==(const SiteSums&) const = default;
};

std::map<std::string, SiteSums> by_name(std::initializer_list<std::vector<queries::OpRow>> parts) {
  std::map<std::string, SiteSums> sums;
  for (const auto& rows : parts) {
    for (const queries::OpRow& row : rows) sums[row.call_site].add(row);
  }
  return sums;
}

TEST_F(Steps, AllTogetherAreTheTotals) {
  const queries::Report report(path_);
  EXPECT_EQ(by_name({queries::ops(report, {}, kAll)}), by_name({queries::ops(report)}));
}

TEST_F(Steps, OfPartsAddUpToTheTotals) {
  const queries::Report report(path_);
  for (std::int64_t last = 0; last <= kSteps; ++last) {
    EXPECT_EQ(by_name({queries::ops(report, {}, queries::StepSpan{0, last}),
                       queries::ops(report, {}, queries::StepSpan{last + 1, kSteps})}),
              by_name({queries::ops(report)}))
        << last;
  }
}

/// Bytes that casts wrote, by call site; or GPU time in us, by call site and kernel.
using Amounts = std::map<std::string, double>;

Amounts amounts(std::initializer_list<std::vector<queries::CastRow>> parts) {
  Amounts sums;
  for (const auto& rows : parts) {
    for (const queries::CastRow& row : rows) sums[row.call_site] += static_cast<double>(row.total.bytes);
  }
  return sums;
}

Amounts amounts(std::initializer_list<std::vector<queries::GpuActivityRow>> parts) {
  Amounts sums;
  for (const auto& rows : parts) {
    for (const queries::GpuActivityRow& row : rows) sums[row.call_site + row.use.name] += row.use.gpu_us;
  }
  return sums;
}

TEST_F(Steps, OfPartsAddUpToAllCastsAndKernels) {
  const queries::Report report(path_);
  EXPECT_GT(queries::casts(report).size(), 1u);
  EXPECT_GT(queries::gpu_activities(report).size(), 1u);
  for (std::int64_t last = 0; last <= kSteps; ++last) {
    const queries::StepSpan first{0, last};
    const queries::StepSpan rest{last + 1, kSteps};
    EXPECT_EQ(amounts({queries::casts(report, {}, first), queries::casts(report, {}, rest)}),
              amounts({queries::casts(report)}))
        << last;
    const Amounts activities =
        amounts({queries::gpu_activities(report, {}, first), queries::gpu_activities(report, {}, rest)});
    for (const auto& [name, us] : amounts({queries::gpu_activities(report)}))
      EXPECT_DOUBLE_EQ(activities.at(name), us) << last << name;
  }
  const auto third = queries::casts(report, {}, queries::StepSpan{3, 3});
  ASSERT_EQ(third.size(), 2u) << "a segment each";
  EXPECT_EQ(third[0].total.bytes + third[1].total.bytes, 5'000 + 6'000);
}

TEST_F(Steps, OfNoSegmentHaveNoRows) {
  const queries::Report report(path_);
  EXPECT_TRUE(queries::ops(report, {}, queries::StepSpan{kSteps + 1, kSteps + 9}).empty());
  EXPECT_TRUE(queries::ops(report, {}, queries::StepSpan{5, 4}).empty());
  EXPECT_TRUE(queries::ops(report, run_ + 1, kAll).empty());
}

TEST_F(Steps, OfACallSiteAddUpToIt) {
  const queries::Report report(path_);
  for (const queries::OpRow& op : queries::ops(report)) {
    Sums whole;
    whole.add(op);
    Sums added;
    std::int64_t before = -1;
    for (const queries::SiteStepRow& row : queries::steps_of(report, run_, op.call_site_id, op.position)) {
      EXPECT_GT(row.step, before) << "in their order, each once";
      before = row.step;
      added.add(row);
    }
    EXPECT_EQ(added, whole) << op.call_site;
  }
  EXPECT_TRUE(queries::steps_of(report, run_, kSites + 1, 0).empty());
}

TEST_F(Steps, OfACallSiteAreThoseOfTheCallSiteInEachStep) {
  const queries::Report report(path_);
  const queries::OpRow op = queries::ops(report).front();
  for (const queries::SiteStepRow& row : queries::steps_of(report, run_, op.call_site_id, op.position)) {
    const auto sums = by_name({queries::ops(report, {}, queries::StepSpan{row.step, row.step})});
    Sums expected;
    expected.add(row);
    EXPECT_EQ(static_cast<const Sums&>(sums.at(op.call_site)), expected) << row.step;
  }
}

TEST_F(Steps, OfSeveralPlacesHaveTheErrorsOfEachAlone) {
  const queries::Report report(path_);
  const std::vector<SiteInStep> places{{3, 1}, {1, 0}, {kSites + 1, 0}, {3, 0}};
  const auto errors = queries::step_errors(report, run_, places);
  ASSERT_EQ(errors.size(), places.size());
  for (std::size_t place = 0; place < places.size(); ++place) {
    std::vector<queries::StepError> alone;
    for (const queries::SiteStepRow& row : queries::steps_of(report, run_, places[place].first, places[place].second)) {
      alone.push_back({.step = row.step, .nonfinite_calls = row.nonfinite_calls, .local = row.local});
    }
    EXPECT_EQ(errors[place], alone) << place;
  }
  EXPECT_FALSE(errors[0].empty());
  EXPECT_TRUE(errors[2].empty()) << "no such call site";
  EXPECT_TRUE(queries::step_errors(report, run_, {}).empty());
}

TEST_F(Steps, AreDecodedOnlyWhereTheyAreWanted) {
  store::Database(path_, store::OpenMode::Write).run("UPDATE call_chunk SET calls = x'ffffff' WHERE segment = 1");
  const queries::Report report(path_);
  EXPECT_THROW(static_cast<void>(queries::ops(report, {}, queries::StepSpan{1, 1})), store::ReportError);
  EXPECT_FALSE(queries::ops(report, {}, queries::StepSpan{2, kSteps}).empty());
  EXPECT_THROW(static_cast<void>(queries::steps_of(report, run_, 1, 1)), store::ReportError);
  EXPECT_FALSE(queries::steps_of(report, run_, 1, 0).empty());
}

TEST(RowsOfRuns, AreThoseOfOneOrOfAll) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter writer(folder / "r");
  for (const char* level : {"O0", "O1"}) writer.append(writer.begin_run(start_of(level)), two_steps());
  const queries::Report report(folder / "r");
  EXPECT_EQ(queries::losses(report).size(), 4u);
  EXPECT_EQ(queries::scales(report).size(), 4u);
  EXPECT_EQ(queries::ops(report).size(), 4u);
  for (const std::int64_t run : {1, 2}) {
    ASSERT_EQ(queries::losses(report, run).size(), 2u);
    EXPECT_EQ(queries::losses(report, run).front().run, run);
    ASSERT_EQ(queries::scales(report, run).size(), 2u);
    EXPECT_EQ(queries::scales(report, run).front().run, run);
    EXPECT_EQ(queries::ops(report, run).size(), 2u);
  }
  EXPECT_TRUE(queries::losses(report, 3).empty());
  EXPECT_TRUE(queries::scales(report, 3).empty());
}

}  // namespace steps_test
}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/collectives.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/reports/sample_report.h"

namespace ampprof {
namespace collectives_test {

using testing_reports::site;
using testing_reports::TemporaryFolder;

CollectiveCall collective(std::int64_t segment, std::int64_t call_site, std::int64_t start_ns,
                          std::optional<std::int64_t> end_ns) {
  return {.segment = segment,
          .call_site = call_site,
          .group = "0",
          .group_size = 4,
          .reduction = "sum",
          .dtype = DType::Half,
          .bytes = 4096,
          .start_ns = start_ns,
          .end_ns = end_ns};
}

class CollectiveRows : public testing::Test {
 protected:
  CollectiveRows() {
    batch_ = testing_reports::two_steps();
    batch_.call_sites.push_back(site(3, Phase::Backward, "fc", "c10d::allreduce_", 0, "train.cpp:9"));
    batch_.call_sites.push_back(site(4, Phase::Backward, "fc", "c10d::allreduce_", 1));
    batch_.calls.push_back(testing_reports::call(1, 3));
    batch_.calls.push_back(testing_reports::call(1, 4));
  }

  std::vector<queries::CollectiveRow> rows() {
    const auto path = folder_ / "r.ampprof";
    store::create_report(path, true);
    store::ReportWriter writer(path);
    const std::int64_t run = writer.begin_run(testing_reports::start_of("O1"));
    writer.attach(run, {"cpu", "2.11.0", "{}", "O1"});
    writer.append(run, batch_);
    writer.fold();
    const queries::Report report(path);
    EXPECT_TRUE(queries::collectives(report, run + 1).empty());
    auto found = queries::collectives(report, run);
    queries::name_collectives(report, run, found);
    return found;
  }

  Batch batch_;

 private:
  TemporaryFolder folder_;
};

TEST_F(CollectiveRows, ComeBackByStart) {
  const CollectiveCall later = collective(2, 3, 16'000'000, std::nullopt);
  const CollectiveCall first = collective(1, 4, 11'000'000, 13'500'000);
  batch_.collectives = {collective(1, 4, 11'000'000, std::nullopt), later, first, collective(99, 3, 5, 6),
                        collective(1, 99, 5, 6)};
  const auto found = rows();
  ASSERT_EQ(found.size(), 2u) << "what has no place is left out";
  EXPECT_EQ(found[0].call, first) << "its end replaced the row of its start";
  EXPECT_EQ(found[0].ms, 2.5);
  EXPECT_EQ(found[0].step, 1);
  EXPECT_EQ(found[0].level, "O1");
  EXPECT_EQ(found[0].phase, Phase::Backward);
  EXPECT_EQ(found[0].module, "fc");
  EXPECT_EQ(found[0].op, "c10d::allreduce_");
  EXPECT_EQ(found[0].call_site, "backward fc/c10d::allreduce_#2");
  EXPECT_EQ(found[1].call, later);
  EXPECT_EQ(found[1].ms, std::nullopt);
  EXPECT_EQ(found[1].source, "train.cpp:9");
}

TEST_F(CollectiveRows, OfAGpuTakeAsLongAsTheirKernels) {
  batch_.collectives = {collective(1, 3, 11'000'000, std::nullopt), collective(1, 4, 11'100'000, std::nullopt)};
  batch_.activity_names = {{1, "ncclDevKernel_AllReduce_Sum_f16_RING_LL"}, {2, "memcpy device to device"}};
  const auto activity = [](std::int64_t start_ns, std::int64_t ns, std::int32_t name, GpuActivityKind kind) {
    return GpuActivity{
        .segment = 1, .call_site = 3, .start_ns = start_ns, .duration_ns = ns, .name = name, .kind = kind};
  };
  batch_.activities = {activity(11'500'000, 250'000, 1, GpuActivityKind::Kernel),
                       activity(12'000'000, 500'000, 1, GpuActivityKind::Kernel),
                       activity(11'000'000, 9'000'000, 2, GpuActivityKind::Memcpy)};
  const auto found = rows();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_DOUBLE_EQ(found[0].ms.value_or(0), 1.0) << "from the start of the first to the end of the last";
  EXPECT_EQ(found[1].ms, std::nullopt) << "none of its kernels was seen";
}

TEST_F(CollectiveRows, HoldAnyNumbers) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  batch_.collectives = {collective(1, 3, kLeast, kMost)};
  ASSERT_EQ(rows().size(), 1u);
  EXPECT_GT(rows()[0].ms, 1e12);
}

}  // namespace collectives_test
}  // namespace ampprof

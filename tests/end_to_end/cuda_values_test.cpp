// SPDX-License-Identifier: Apache-2.0
// Records a program that computes the same bits on any device: on the CPU, and on the fake CUDA runtime, which runs
// ampprof's kernels as their sources define them. The statistics have to be the same.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "reports/queries/events.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/updates.h"
#include "reports/records/statistics.h"
#include "reports/records/step.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace cuda_values_test {

struct Case {
  std::string kind;     ///< argument KIND of exact_train.py
  std::string options;  ///< options of `ampprof run`
};

void PrintTo(const Case& of, std::ostream* out) { *out << of.kind << ' ' << of.options; }

class CudaValues : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
    const std::string stand_in = "LD_LIBRARY_PATH='" AMPPROF_TEST_FAKE_CUDA "' LD_PRELOAD='" AMPPROF_TEST_FAKE_CUDART
                                 "' FAKE_CUDA_COUNTS=counts ";
    const std::string out = record("", "cpu");
    EXPECT_EQ(record(stand_in, "cuda"), out) << "the program itself";
  }

  queries::Report report(const std::string& device) const {
    return queries::Report(folder_.path() / (device + ".ampprof"));
  }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  std::string record(const std::string& variables, const std::string& device) {
    const CommandResult run =
        run_command(variables + ampprof() + " run --force -o " + device + ".ampprof " + GetParam().options + " -- " +
                        python() + " " + script("exact_train.py") + " " + device + " " + GetParam().kind,
                    folder());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }

  TemporaryFolder folder_;
};

/// On a GPU, floats are summed in groups of eight, so sums differ by up to 1e-6. The largest error is rounded to float.
constexpr double kTolerance = 1e-6;

void expect_near(double cuda, double cpu, double size, std::string_view what) {
  if (std::isfinite(cpu)) {
    EXPECT_NEAR(cuda, cpu, kTolerance * std::abs(size)) << what;
  } else {
    EXPECT_EQ(std::isnan(cuda), std::isnan(cpu)) << what;
  }
}

void expect_same(const RangeStats& cuda, const RangeStats& cpu) {
  each_statistic<RangeStats>([&](const auto& each) { EXPECT_EQ(cuda.*each.field, cpu.*each.field) << each.column; });
}

void expect_same(const ErrorStats& cuda, const ErrorStats& cpu) {
  each_statistic<ErrorStats>([&](const auto& each) {
    if constexpr (std::is_same_v<decltype(each.merged(0, 0)), double>) {
      const bool is_product = each.field == &ErrorStats::sum_product;
      const double size = is_product ? std::sqrt(cpu.sum_sq_output * cpu.sum_sq_reference) : cpu.*each.field;
      expect_near(cuda.*each.field, cpu.*each.field, size, each.column);
    } else {
      EXPECT_EQ(cuda.*each.field, cpu.*each.field) << each.column;
    }
  });
}

template <typename Figure, typename Expect>
void expect_both(const std::optional<Figure>& cuda, const std::optional<Figure>& cpu, Expect expect) {
  ASSERT_EQ(cuda.has_value(), cpu.has_value());
  if (cpu) expect(*cuda, *cpu);
}

/// Compares the statistics of one op. An op without ranges on the CPU, such as a copy to the device, has none.
void expect_same(const queries::OpRow& cuda, const queries::OpRow& cpu) {
  EXPECT_EQ(cuda.calls, cpu.calls);
  if (!cpu.ranges) return;
  const auto same = [](const auto& cuda, const auto& cpu) { expect_same(cuda, cpu); };
  const auto equal = [](const auto& cuda, const auto& cpu) { EXPECT_EQ(cuda, cpu); };
  const auto near = [](double cuda, double cpu) { expect_near(cuda, cpu, cpu, "loss impact"); };
  expect_both(cuda.ranges, cpu.ranges, same);
  expect_both(cuda.exponents, cpu.exponents, equal);
  expect_both(cuda.local, cpu.local, same);
  expect_both(cuda.inherited, cpu.inherited, same);
  expect_both(cuda.inherited_exponents, cpu.inherited_exponents, equal);
  expect_both(cuda.scale, cpu.scale, equal);
  expect_both(cuda.loss_impact, cpu.loss_impact, near);
  expect_both(cuda.loss_impact_rms, cpu.loss_impact_rms, near);
  EXPECT_EQ(cuda.nonfinite_expected, cpu.nonfinite_expected);
}

/// Returns how many call sites have a local error.
int compare_ops(const queries::Report& cuda, const queries::Report& cpu) {
  std::map<std::pair<std::string, int>, queries::OpRow> of_cuda;
  for (queries::OpRow& op : queries::ops(cuda)) of_cuda[{op.call_site, op.position}] = std::move(op);
  int erring = 0;
  for (const queries::OpRow& op : queries::ops(cpu)) {
    SCOPED_TRACE(op.call_site + " at " + op.source);
    const auto found = of_cuda.find({op.call_site, op.position});
    EXPECT_NE(found, of_cuda.end());
    if (found != of_cuda.end()) expect_same(found->second, op);
    erring += op.local && op.local->sum_sq_error > 0 ? 1 : 0;
  }
  return erring;
}

void compare_updates(const queries::Report& cuda, const queries::Report& cpu) {
  const auto of_cuda = queries::updates(cuda);
  const auto of_cpu = queries::updates(cpu);
  ASSERT_EQ(of_cuda.size(), of_cpu.size());
  for (std::size_t i = 0; i < of_cpu.size(); ++i) {
    const WeightUpdate& expected = of_cpu[i].total;
    SCOPED_TRACE(expected.parameter);
    EXPECT_EQ(of_cuda[i].total.parameter, expected.parameter);
    EXPECT_EQ(of_cuda[i].total.count, expected.count);
    EXPECT_EQ(of_cuda[i].total.lost, expected.lost);
    EXPECT_EQ(of_cuda[i].total.below_half_ulp, expected.below_half_ulp);
    expect_near(of_cuda[i].total.sum_ulp, expected.sum_ulp, expected.sum_ulp, "ulps");
  }
}

void compare_losses(const queries::Report& cuda, const queries::Report& cpu) {
  const auto of_cuda = queries::losses(cuda);
  const auto of_cpu = queries::losses(cpu);
  ASSERT_EQ(of_cpu.size(), 6u);
  ASSERT_EQ(of_cuda.size(), of_cpu.size());
  for (std::size_t i = 0; i < of_cpu.size(); ++i) EXPECT_EQ(of_cuda[i].loss.value, of_cpu[i].loss.value) << i;
}

void compare_events(const queries::Report& cuda, const queries::Report& cpu, std::size_t expected) {
  const auto of_cuda = queries::events(cuda);
  const auto of_cpu = queries::events(cpu);
  ASSERT_EQ(of_cpu.size(), expected);
  ASSERT_EQ(of_cuda.size(), of_cpu.size());
  for (std::size_t i = 0; i < of_cpu.size(); ++i) {
    EXPECT_EQ(of_cuda[i].step, of_cpu[i].step);
    EXPECT_EQ(of_cuda[i].scale_after, of_cpu[i].scale_after);
    EXPECT_EQ(of_cuda[i].skipped, of_cpu[i].skipped);
    EXPECT_NE(of_cpu[i].first_op, "");
    EXPECT_EQ(of_cuda[i].first_op, of_cpu[i].first_op);
    EXPECT_EQ(of_cuda[i].chain, of_cpu[i].chain);
    EXPECT_EQ(of_cuda[i].largest_safe_scale, of_cpu[i].largest_safe_scale);
    EXPECT_EQ(of_cuda[i].parameters.size(), of_cpu[i].parameters.size());
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Returns the kernel names and counts of all processes that used the device.
std::string kernels_launched(const std::filesystem::path& folder) {
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().stem() == "counts") all += bytes_of(entry.path());
  }
  return all;
}

TEST_P(CudaValues, AreThoseOfTheCpu) {
  const std::string launched = kernels_launched(folder());
  EXPECT_TRUE(has(launched, "kernel _ZN7ampprof")) << "ampprof's own";
  EXPECT_FALSE(has(launched, "without a twin")) << launched;
  const queries::Report cpu = report("cpu");
  const queries::Report cuda = report("cuda");
  EXPECT_EQ(queries::runs(cuda).at(0).device, "cuda");
  EXPECT_GT(compare_ops(cuda, cpu), 2);
  compare_updates(cuda, cpu);
  EXPECT_FALSE(queries::updates(cpu).empty());
  compare_losses(cuda, cpu);
  compare_events(cuda, cpu, has(GetParam().kind, "poisoned") ? 1 : 0);
  if (!has(GetParam().options, "--sketch")) return;
  const CommandResult diff =
      run_command(ampprof() + " diff --first --exact --format json cpu.ampprof cuda.ampprof", folder());
  const auto found = nlohmann::json::parse(diff.out, nullptr, false).at("comparisons").at(0);
  EXPECT_TRUE(found.at("first").is_null()) << found.at("first").dump();
  EXPECT_GT(found.at("compared"), 100);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, CudaValues,
    ::testing::ValuesIn(test_support::with_repetitions<Case>({{"half", "--inherited --impact --sketch"},
                                                              {"float", "--what-if fp16 --sketch"},
                                                              {"autocast poisoned", "--inherited"}},
                                                             {{"autocast", ""},
                                                              {"autocast", "--sketch"},
                                                              {"autocast", "--inherited --impact"},
                                                              {"half", ""},
                                                              {"autocast poisoned", ""}})));

}  // namespace cuda_values_test
}  // namespace ampprof::testing

// SPDX-License-Identifier: Apache-2.0
// Compares statistics measured on a device with cpu::measure(), which defines them. Also runs the loop of the kernel's
// threads on the CPU; the kernel itself needs a GPU.
#include "precision/tensors/deferred_reductions.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <thread>
#include <vector>

#include "precision/tensors/measure.h"

namespace ampprof {
namespace deferred_reductions_test {

using at::Tensor;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Returns values of every size and kind, in double.
Tensor wild_values(std::int64_t size) {
  Tensor values = at::randn({size}, at::kDouble) * at::pow(2.0, at::randint(-45, 20, {size}).to(at::kDouble));
  const std::vector<double> special{0.0, -0.0, kInf, -kInf, -kInf, NAN, 65504, 65520, 0x1p-24, 0x1p-25, 0x1p-14, 1e150};
  for (std::size_t i = 0; i < special.size(); ++i) {
    const auto place = static_cast<std::int64_t>(7 * i);
    if (place < size) values[place] = special[i];
  }
  return values;
}

void expect_same(const error::OutputStatistics& actual, const error::OutputStatistics& expected) {
  EXPECT_EQ(actual.ranges, expected.ranges);
  EXPECT_EQ(actual.exponents, expected.exponents);
  EXPECT_EQ(actual.minus_infinite, expected.minus_infinite);
  ASSERT_EQ(actual.local.has_value(), expected.local.has_value());
  if (!expected.local) return;
  const ErrorStats& a = *actual.local;
  const ErrorStats& e = *expected.local;
  EXPECT_EQ(a.count, e.count);
  EXPECT_EQ(a.excluded, e.excluded);
  EXPECT_EQ(a.infinite, e.infinite);
  EXPECT_EQ(a.flushed, e.flushed);
  // With a Float reference, the CPU rounds the error of a pair to float.
  const auto expect_near = [](double largest, double right) {
    if (std::isfinite(right)) {
      EXPECT_NEAR(largest, right, 0x1p-24 * right);
    } else {
      EXPECT_EQ(largest, right);
    }
  };
  expect_near(a.max_abs, e.max_abs);
  expect_near(a.max_ulp, e.max_ulp);
  EXPECT_NEAR(a.sum_ulp, e.sum_ulp, 1e-6 * e.sum_ulp);
  EXPECT_NEAR(a.sum_sq_error, e.sum_sq_error, 1e-6 * e.sum_sq_error);
  EXPECT_NEAR(a.sum_sq_reference, e.sum_sq_reference, 1e-6 * e.sum_sq_reference);
  EXPECT_NEAR(a.sum_sq_output, e.sum_sq_output, 1e-6 * e.sum_sq_output);
  EXPECT_NEAR(a.sum_product, e.sum_product, 1e-6 * std::sqrt(e.sum_sq_output * e.sum_sq_reference));
}

class DeviceTwin : public testing::TestWithParam<at::DeviceType> {
 protected:
  void SetUp() override {
    if (GetParam() == at::kCUDA && !torch::cuda::is_available()) GTEST_SKIP() << "no GPU on this machine";
    at::manual_seed(3);
  }
  static Tensor there(const Tensor& tensor) { return tensor.defined() ? tensor.to(GetParam()) : tensor; }

  void check(const Tensor& output, const Tensor& reference) {
    expect_same(results_.take(results_.add(there(output), there(reference))), tensors::measure(output, reference));
  }

  tensors::DeferredReductions results_;
};

TEST_P(DeviceTwin, AgreesOnEdgeSizesAndTypes) {
  for (const std::int64_t size : {0, 1, 31, 32, 33, 255, 256, 257, 2047, 2048, 2049, 100003}) {
    const Tensor r = wild_values(size);
    const Tensor y = r * (1 + at::randn({size}, at::kDouble) * 1e-3);
    for (const auto type : {at::kHalf, at::kBFloat16, at::kFloat8_e4m3fn, at::kFloat8_e5m2, at::kFloat, at::kDouble}) {
      for (const auto precision : {at::kFloat, at::kDouble}) {
        SCOPED_TRACE(::testing::Message() << size << " " << type << " against " << precision);
        check(y.to(type), r.to(precision));
      }
      check(y.to(type), Tensor());
    }
  }
}

TEST_P(DeviceTwin, AgreesOnAnyStrides) {
  const Tensor r = wild_values(3 * 4 * 7 * 5).view({3, 4, 7, 5}).to(at::kFloat);
  const Tensor y = (r * 1.001).to(at::kHalf);
  const auto results_of = [&](const Tensor& output, const Tensor& reference) {
    return results_.take(results_.add(output, reference));
  };
  const error::OutputStatistics expected = tensors::measure(y, r);
  const Tensor there_y = there(y);
  const Tensor there_r = there(r);
  expect_same(results_of(there_y.contiguous(at::MemoryFormat::ChannelsLast), there_r), expected);
  expect_same(results_of(there_y.transpose(1, 3).contiguous().transpose(1, 3), there_r), expected);
  expect_same(results_of(at::stack({there_y, there_y}, 4).select(4, 1), there_r), expected);
  expect_same(results_of(at::_neg_view(-there_y), there_r), expected);
}

TEST_P(DeviceTwin, WhatIsNotMeasurableGivesNothing) {
  check(Tensor(), Tensor());
  check(at::ones({3}, at::kLong), Tensor());
  EXPECT_FALSE(results_.take(results_.add(there(at::ones({3})), there(at::ones({4})))).local) << "of another shape";
}

TEST_P(DeviceTwin, KeepsManyResultsApartInAnyOrder) {
  constexpr int kMany = 300;  // more results than the first block of memory can hold
  for (int round = 0; round < 2; ++round) {
    std::vector<tensors::DeferredReductions::Ticket> tickets;
    for (int i = 0; i < kMany; ++i)
      tickets.push_back(results_.add(there(at::full({i + 1}, static_cast<double>(i + round))), Tensor()));
    for (int i = kMany - 1; i >= 0; --i) {
      const RangeStats ranges = results_.take(tickets[static_cast<std::size_t>(i)]).ranges;
      ASSERT_EQ(ranges.count, i + 1) << "round " << round;
      ASSERT_EQ(ranges.amax, i + round);
    }
  }
}

TEST_P(DeviceTwin, ThreadsDoNotMix) {
  std::vector<std::thread> threads;
  std::vector<std::int64_t> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        const auto value = static_cast<double>(1000 * t + i);
        const auto ticket = results_.add(there(at::full({50}, value)), Tensor());
        if (results_.take(ticket).ranges.amax != value) ++wrong[t];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<std::int64_t>(4));
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceTwin, testing::Values(at::kCPU, at::kCUDA),
                         [](const auto& info) { return c10::DeviceTypeName(info.param, true); });

}  // namespace deferred_reductions_test
}  // namespace ampprof

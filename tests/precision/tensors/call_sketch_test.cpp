// SPDX-License-Identifier: Apache-2.0
// Compares sketches that are completed later with sketches made at once. In these tests, the CPU counts as a device.
#include "precision/tensors/call_sketch.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <vector>

#include "precision/sketch/sketch.h"
#include "precision/tensors/sketch_of.h"

namespace ampprof::tensors {
namespace call_sketch_test {

std::vector<at::Tensor> outputs_of_many_kinds() {
  at::manual_seed(5);
  at::Tensor wild = at::randn({70, 33}).t();
  wild[3][4] = INFINITY;
  return {wild,
          at::randint(100, {700}, at::kLong),
          at::Tensor(),
          at::randn({257}).to(at::kHalf),
          at::randn({0}),
          at::ones({9}, at::kBool),
          at::randn({40}, at::kComplexFloat),
          at::_neg_view(at::randn({1000}, at::kDouble))};
}

Sketch sketch_of_call(const std::vector<at::Tensor>& outputs, DeferredReductions* later, at::Device device) {
  CallSketch sketch;
  sketch.add_input(Checksum(7));
  if (later != nullptr) {
    sketch.add_input(Checksum(later->add_checksum(at::ones({5}).to(device))));
    sketch.add_input(Checksum(9));
  } else {
    sketch.add_input(Checksum(checksum_of(at::ones({5}))));
    sketch.add_input(Checksum(9));
  }
  const std::vector<std::uint64_t> places = places_of(outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].defined()) sketch.add_output(outputs[i].to(device), places[i], later, nullptr);
  }
  EXPECT_EQ(sketch.is_complete(), later == nullptr);
  if (later != nullptr) later->complete();
  return sketch.value();
}

class CallSketchLater : public testing::TestWithParam<at::DeviceType> {
 protected:
  void SetUp() override {
    if (GetParam() == at::kCUDA && !torch::cuda::is_available()) GTEST_SKIP() << "no GPU on this machine";
  }
};

void expect_same(const Sketch& actual, const Sketch& expected) {
  EXPECT_EQ(actual.inputs, expected.inputs);
  EXPECT_EQ(actual.elements, expected.elements);
  EXPECT_EQ(actual.nonfinite, expected.nonfinite);
  EXPECT_EQ(actual.checksum, expected.checksum);
  EXPECT_NEAR(actual.sum_sq, expected.sum_sq, 1e-12 * expected.sum_sq);
  for (std::size_t i = 0; i < kSketchSums; ++i) EXPECT_NEAR(actual.sums[i], expected.sums[i], 1e-9) << i;
}

TEST_P(CallSketchLater, IsThatOfTheCallNow) {
  const std::vector<at::Tensor> outputs = outputs_of_many_kinds();
  DeferredReductions results;
  for (int round = 0; round < 2; ++round) {
    expect_same(sketch_of_call(outputs, &results, GetParam()), sketch_of_call(outputs, nullptr, at::kCPU));
  }
}

TEST_P(CallSketchLater, ArrivesWithTheMeasuredFigures) {
  at::manual_seed(5);
  const at::Tensor reference = at::randn({65, 33});
  DeferredReductions results;
  for (const at::Tensor& output : {reference.to(at::kHalf), reference.t().contiguous().t()}) {
    SketchBeside beside{.start = 2 * sketch::kBlock};
    const auto ticket = results.add(output.to(GetParam()), reference.to(GetParam()), std::nullopt, &beside);
    CallSketch sketch;
    sketch.add_output(output.to(GetParam()), beside.start, &results, beside.made);
    results.complete();
    Sketch expected = sketch_of(output, beside.start);
    expect_same(sketch.value(), expected);
    EXPECT_EQ(results.take(ticket).ranges.count, output.numel());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, CallSketchLater, testing::Values(at::kCPU, at::kCUDA),
                         [](const auto& info) { return c10::DeviceTypeName(info.param, true); });

TEST(PlacesOf, BeginABlockWithEachOutput) {
  EXPECT_EQ(places_of({at::ones({65}), at::Tensor(), at::ones({64}), at::ones({1})}),
            (std::vector<std::uint64_t>{0, 128, 128, 192}));
}

}  // namespace call_sketch_test
}  // namespace ampprof::tensors

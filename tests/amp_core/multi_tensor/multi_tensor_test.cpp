// SPDX-License-Identifier: Apache-2.0
#include "amp_core/multi_tensor/multi_tensor.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <optional>

#include "amp_core/levels/properties.h"

namespace amp::multi_tensor {
namespace multi_tensor_test {

using at::kBFloat16;
using at::kDouble;
using at::kFloat;
using at::kHalf;
using Tensors = std::vector<at::Tensor>;

/// Two sizes that alternate `repeats` times.
struct Sizes {
  std::int64_t a;
  std::int64_t b;
  int repeats;
};

void PrintTo(const Sizes& sizes, std::ostream* out) { *out << sizes.a << "_and_" << sizes.b << "_x" << sizes.repeats; }

const std::vector<Sizes> kSizes{{7777 * 77, 555 * 555, 1}, {777, 555, 1},           {555, 2048 * 32 + 1, 1},
                                {2048 * 32 + 1, 555, 1},   {555, 2048 * 32, 1},     {2048 * 32, 555, 1},
                                {33333, 555, 1},           {555, 33333, 1},         {777, 555, 55},
                                {33333, 555, 55},          {555, 2048 * 32 + 1, 55}};

std::string name_of_sizes(const testing::TestParamInfo<Sizes>& info) {
  std::ostringstream name;
  PrintTo(info.param, &name);
  return name.str();
}

Tensors filled(const Sizes& sizes, double value, at::ScalarType type) {
  Tensors list;
  for (int i = 0; i < sizes.repeats; ++i) {
    list.push_back(torch::full({sizes.a}, value, type));
    list.push_back(torch::full({sizes.b}, value, type));
  }
  return list;
}

bool all_are(const Tensors& list, double value) {
  return std::all_of(list.begin(), list.end(),
                     [&](const at::Tensor& tensor) { return tensor.eq(value).all().item<bool>(); });
}

at::Tensor no_flag() { return torch::zeros({1}); }
bool is_set(const at::Tensor& flag) { return flag.item<float>() != 0; }

class MultiTensor : public testing::TestWithParam<Sizes> {
 protected:
  // Uses one thread: on a busy machine, threads that wait for each other make many small loops ten times slower.
  static void SetUpTestSuite() { at::set_num_threads(1); }
};

TEST_P(MultiTensor, ScaleMultipliesInEveryPairOfTypes) {
  for (const auto in_type : {kFloat, kHalf, kBFloat16}) {
    for (const auto out_type : {kFloat, kHalf, kBFloat16}) {
      const Tensors in = filled(GetParam(), 4, in_type);
      const Tensors out = filled(GetParam(), 9, out_type);
      const at::Tensor flag = no_flag();
      scale(in, out, 1.0 / 4, flag);
      EXPECT_TRUE(all_are(out, 1)) << toString(in_type) << " to " << toString(out_type);
      EXPECT_TRUE(all_are(in, 4)) << "left as it was";
      EXPECT_FALSE(is_set(flag));
    }
  }
}

TEST_P(MultiTensor, ScaleFindsWhatIsNotFiniteWhereverItIs) {
  const Tensors in = filled(GetParam(), 4, kHalf);
  const Tensors out = filled(GetParam(), 9, kFloat);
  for (const std::size_t tensor : {std::size_t{0}, in.size() / 2, in.size() - 1}) {
    const std::int64_t last = in[tensor].numel() - 1;
    for (const std::int64_t place : {std::int64_t{0}, last / 2, last}) {
      for (const double poison : {double(NAN), double(INFINITY)}) {
        in[tensor][place] = poison;
        const at::Tensor flag = no_flag();
        scale(in, out, 0.25, flag);
        EXPECT_TRUE(is_set(flag)) << "tensor " << tensor << ", place " << place;
        EXPECT_FALSE(std::isfinite(out[tensor][place].item<double>())) << "written all the same";
        in[tensor][place] = 4;
      }
    }
  }
}

TEST_P(MultiTensor, AxpbyAddsInMixedTypesAndMemoryFormats) {
  for (const auto& [x_type, y_type, out_type] : {std::tuple{kFloat, kFloat, kFloat},
                                                 {kHalf, kFloat, kFloat},
                                                 {kHalf, kHalf, kHalf},
                                                 {kFloat, kHalf, kBFloat16}}) {
    const Tensors x = filled(GetParam(), 2, x_type);
    const Tensors y = filled(GetParam(), 4, y_type);
    const Tensors out = filled(GetParam(), 9, out_type);
    const at::Tensor flag = no_flag();
    axpby(4, x, 0.5, y, out, flag);
    EXPECT_TRUE(all_are(out, 10)) << toString(x_type) << toString(y_type) << toString(out_type);
    EXPECT_FALSE(is_set(flag));
  }
}

TEST_P(MultiTensor, AxpbyChecksTheChosenOperand) {
  const Tensors x = filled(GetParam(), 2, kHalf);
  const Tensors y = filled(GetParam(), 4, kFloat);
  const Tensors out = filled(GetParam(), 9, kFloat);
  for (const bool in_x : {true, false}) {
    for (const double poison : {double(NAN), double(INFINITY)}) {
      const Tensors& poisoned = in_x ? x : y;
      for (const std::int64_t place : {std::int64_t{0}, poisoned.back().numel() / 2, poisoned.back().numel() - 1}) {
        poisoned.back()[place] = poison;
        for (const auto& [checked, is_seen] :
             {std::pair{Checked::Both, true}, {Checked::X, in_x}, {Checked::Y, !in_x}}) {
          const at::Tensor flag = no_flag();
          axpby(1, x, 1, y, out, flag, checked);
          EXPECT_EQ(is_set(flag), is_seen);
          EXPECT_FALSE(std::isfinite(out.back()[place].item<double>()));
        }
        poisoned.back()[place] = 1;
      }
    }
  }
}

TEST_P(MultiTensor, L2normMeasuresAllAndEachInEveryType) {
  for (const auto type : {kFloat, kHalf, kBFloat16, kDouble}) {
    Tensors list = filled(GetParam(), 0.5, type);
    if (type != kDouble) list[0] = list[0].to(kFloat);  // mixed types
    double squares = 0;
    const Norms norms = l2norm(list);
    EXPECT_EQ(norms.global.dim(), 0);
    EXPECT_EQ(norms.global.scalar_type(), type == kDouble ? kDouble : kFloat);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const double expected = 0.5 * std::sqrt(double(list[i].numel()));
      EXPECT_NEAR(norms.per_tensor[i].item<double>() / expected, 1, 1e-6) << toString(type);
      squares += expected * expected;
    }
    EXPECT_NEAR(norms.global.item<double>() / std::sqrt(squares), 1, 1e-6) << toString(type);
  }
}

TEST_P(MultiTensor, UnscaleL2normMeasuresUnscaledGradientsAndLeavesThem) {
  const Tensors list = filled(GetParam(), 64, kHalf);
  const Norms norms = unscale_l2norm(list, torch::full({1}, 1.0 / 64));
  EXPECT_NEAR(norms.per_tensor[1].item<double>() / std::sqrt(double(GetParam().b)), 1, 1e-6);
  const double numel = double(GetParam().a + GetParam().b) * GetParam().repeats;
  EXPECT_NEAR(norms.global.item<double>() / std::sqrt(numel), 1, 1e-6);
  EXPECT_TRUE(all_are(list, 64));
}

INSTANTIATE_TEST_SUITE_P(Fuzz, MultiTensor, testing::ValuesIn(kSizes), name_of_sizes);

TEST(MultiTensorScale, RoundsOnceAndJudgesTheInputOnly) {
  const Tensors in{torch::tensor({40000.0F, 1.0009765F})};
  const Tensors out{torch::zeros({2}, kHalf)};
  const at::Tensor flag = no_flag();
  scale(in, out, 2, flag);
  EXPECT_FALSE(is_set(flag)) << "80000 overflows in half, but 40000 is finite";
  EXPECT_TRUE(std::isinf(out[0][0].item<float>()));
  EXPECT_EQ(out[0][1].item<float>(), (in[0][1] * 2).to(kHalf).item<float>());
}

TEST(MultiTensorScale, WorksInPlaceInDoubleAndOnNothing) {
  const Tensors list{torch::full({3}, 3.0, kDouble), torch::zeros({0}, kDouble)};
  const at::Tensor flag = no_flag();
  scale(list, list, 0.1, flag);
  EXPECT_TRUE(at::equal(list[0], torch::full({3}, 3.0 * 0.1, kDouble))) << "the factor is not rounded to FP32";
  list[0][1] = NAN;
  scale(list, list, 0.1, flag);
  EXPECT_TRUE(is_set(flag));
  scale({}, {}, 2, flag);
  EXPECT_TRUE(is_set(flag)) << "never cleared";
}

TEST(MultiTensorAxpby, AcceptsChannelsLastOperandsOfEveryMix) {
  for (const int mix : {0, 1, 2, 3, 4, 5, 6, 7}) {
    const auto laid_out = [&](int bit, const at::Tensor& tensor) {
      return (mix & bit) != 0 ? tensor.to(at::MemoryFormat::ChannelsLast) : tensor;
    };
    const at::Tensor ramp = torch::arange(2 * 3 * 4 * 5, kFloat).reshape({2, 3, 4, 5});
    const at::Tensor x = laid_out(1, ramp.clone());
    const at::Tensor y = laid_out(2, ramp.flip(0).contiguous());
    const at::Tensor out = laid_out(4, torch::zeros({2, 3, 4, 5}));
    axpby(2, x, 3, y, out, no_flag());
    EXPECT_TRUE(at::equal(out, 2 * ramp + 3 * ramp.flip(0))) << mix;
  }
}

TEST(MultiTensorAxpby, MayWriteOverAnOperand) {
  const Tensors x{torch::full({3}, 2.0F)};
  const Tensors y{torch::full({3}, 5.0F)};
  axpby(1, x, 1, y, x, no_flag());
  EXPECT_TRUE(all_are(x, 7));
}

TEST(MultiTensorLists, ThatDoNotFitAreRefused) {
  const Tensors one{torch::ones({3})};
  const Tensors two{torch::ones({3}), torch::ones({3})};
  const Tensors longer{torch::ones({4})};
  EXPECT_THROW(scale(one, two, 1, no_flag()), Error);
  EXPECT_THROW(scale(one, longer, 1, no_flag()), Error);
  EXPECT_THROW(axpby(1, one, 1, longer, one, no_flag()), Error);
  EXPECT_THROW(l2norm({}), Error);
}

}  // namespace multi_tensor_test
}  // namespace amp::multi_tensor

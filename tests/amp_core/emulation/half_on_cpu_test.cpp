// SPDX-License-Identifier: Apache-2.0
#include "amp_core/emulation/half_on_cpu.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <map>

namespace amp {
namespace half_on_cpu_test {

using Results = std::vector<at::Tensor>;

at::Tensor values(at::IntArrayRef shape, std::uint64_t seed, at::ScalarType type) {
  torch::manual_seed(seed);
  return torch::randn(shape).to(torch::kHalf).to(type);  // the same numbers in every type
}

Results conv_backward(at::IntArrayRef input, at::IntArrayRef weight, std::int64_t stride, bool transposed,
                      at::ScalarType type) {
  const at::Tensor x = values(input, 1, type).requires_grad_();
  const at::Tensor w = values(weight, 2, type).requires_grad_();
  const at::Tensor b = values({transposed ? weight[1] : weight[0]}, 3, type).requires_grad_();
  const at::Tensor y = torch::convolution(x, w, b, {stride, stride}, {1, 1}, {1, 1}, transposed, {0, 0}, 1);
  y.backward(values(y.sizes(), 4, type));
  return {y.detach(), x.grad(), w.grad(), b.grad()};
}

struct Case {
  const char* name;
  Results (*run)(at::ScalarType type);
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

const Case kCases[]{
    {"mm",
     [](at::ScalarType t) {
       return Results{torch::mm(values({33, 65}, 1, t), values({65, 17}, 2, t))};
     }},
    {"mm_of_one",
     [](at::ScalarType t) {
       return Results{torch::mm(values({1, 1}, 1, t), values({1, 1}, 2, t))};
     }},
    {"mm_long",
     [](at::ScalarType t) {
       return Results{torch::mm(values({3, 1031}, 1, t), values({1031, 5}, 2, t))};
     }},
    {"mm_of_transposed",
     [](at::ScalarType t) {
       return Results{torch::mm(values({65, 33}, 1, t).t(), values({17, 65}, 2, t).t())};
     }},
    {"mm_out",
     [](at::ScalarType t) {
       at::Tensor out = torch::empty({0}, t);
       torch::mm_out(out, values({7, 13}, 1, t), values({13, 9}, 2, t));
       return Results{out};
     }},
    {"addmm",
     [](at::ScalarType t) {
       return Results{torch::addmm(values({17}, 3, t), values({33, 65}, 1, t), values({65, 17}, 2, t), 0.5, 2)};
     }},
    {"addmm_in_place",
     [](at::ScalarType t) {
       return Results{values({33, 17}, 3, t).addmm_(values({33, 65}, 1, t), values({65, 17}, 2, t))};
     }},
    {"bmm",
     [](at::ScalarType t) {
       return Results{torch::bmm(values({3, 9, 31}, 1, t), values({3, 31, 5}, 2, t))};
     }},
    {"baddbmm",
     [](at::ScalarType t) {
       return Results{torch::baddbmm(values({3, 9, 5}, 3, t), values({3, 9, 31}, 1, t), values({3, 31, 5}, 2, t))};
     }},
    {"mv",
     [](at::ScalarType t) {
       return Results{torch::mv(values({33, 65}, 1, t), values({65}, 2, t))};
     }},
    {"dot", [](at::ScalarType t) { return Results{torch::dot(values({257}, 1, t), values({257}, 2, t))}; }},
    {"conv2d",
     [](at::ScalarType t) {
       return conv_backward({3, 5, 9, 11}, {7, 5, 3, 3}, 1, false, t);
     }},
    {"conv2d_strided",
     [](at::ScalarType t) {
       return conv_backward({2, 3, 13, 7}, {5, 3, 5, 3}, 2, false, t);
     }},
    {"conv2d_of_one",
     [](at::ScalarType t) {
       return conv_backward({1, 1, 1, 1}, {1, 1, 3, 3}, 1, false, t);
     }},
    {"conv_transpose2d",
     [](at::ScalarType t) {
       return conv_backward({2, 5, 7, 5}, {5, 3, 4, 4}, 2, true, t);
     }},
    {"attention",
     [](at::ScalarType t) {
       const at::Tensor q = values({2, 3, 17, 8}, 1, t).requires_grad_();
       const at::Tensor y = torch::scaled_dot_product_attention(q, q, q);
       y.backward(values(y.sizes(), 4, t));
       return Results{y.detach(), q.grad()};
     }},
};

/// Returns one ulp of half at the largest magnitude of a tensor.
double half_ulp_of_largest(const at::Tensor& tensor) {
  const double largest = tensor.abs().max().item<double>();
  return std::ldexp(1.0, std::max(std::ilogb(largest), -14) - 10);
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
  return (a.to(torch::kDouble) - b.to(torch::kDouble)).abs().max().item<double>();
}

class Emulation : public testing::TestWithParam<Case> {
 protected:
  /// Computes the results of LibTorch's own kernels before the emulation replaces them for the rest of the process.
  static void SetUpTestSuite() {
    for (const Case& each : kCases) {
      native_half()[each.name] = each.run(torch::kHalf);
      native_float()[each.name] = each.run(torch::kFloat);
    }
    emulate_half_on_cpu();
  }

  static std::map<std::string, Results>& native_half() {
    static std::map<std::string, Results> results;
    return results;
  }
  static std::map<std::string, Results>& native_float() {
    static std::map<std::string, Results> results;
    return results;
  }
};

TEST_P(Emulation, IsTheExactResultRoundedOnce) {
  const Results emulated = GetParam().run(torch::kHalf);
  const Results exact = GetParam().run(torch::kDouble);
  const bool is_composed = std::string(GetParam().name) == "attention";  // gradients sum rounded values
  ASSERT_EQ(emulated.size(), exact.size());
  for (std::size_t i = 0; i < emulated.size(); ++i) {
    EXPECT_EQ(emulated[i].scalar_type(), torch::kHalf);
    // 0.5 ulp for the rounding, and 0.01 ulp for the order of FP32 additions.
    const double bound = (is_composed ? 2.0 : 0.51) * half_ulp_of_largest(exact[i]);
    EXPECT_LE(largest_difference(emulated[i], exact[i]), bound) << "result " << i;
  }
}

TEST_P(Emulation, AgreesWithLibTorchsHalfKernelsWithinOneUnit) {
  const Results emulated = GetParam().run(torch::kHalf);
  const Results& native = native_half().at(GetParam().name);
  const bool is_composed = std::string(GetParam().name) == "attention";
  for (std::size_t i = 0; i < emulated.size(); ++i) {
    EXPECT_EQ(emulated[i].sizes(), native[i].sizes());
    const double bound = (is_composed ? 2.0 : 1.0) * half_ulp_of_largest(native[i]);
    EXPECT_LE(largest_difference(emulated[i], native[i]), bound) << "result " << i;
  }
}

TEST_P(Emulation, Fp32StaysBitIdentical) {
  const Results now = GetParam().run(torch::kFloat);
  const Results& before = native_float().at(GetParam().name);
  for (std::size_t i = 0; i < now.size(); ++i) EXPECT_TRUE(at::equal(now[i], before[i])) << "result " << i;
}

INSTANTIATE_TEST_SUITE_P(HalfOnCpu, Emulation, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(HalfOnCpu, MixedTypesAreStillAnError) {
  emulate_half_on_cpu();
  const at::Tensor x = torch::ones({2, 2});
  EXPECT_THROW(torch::mm(x, x.to(torch::kHalf)), c10::Error);
  EXPECT_THROW(torch::addmm(x, x.to(torch::kHalf), x.to(torch::kHalf)), c10::Error);
}

TEST(HalfOnCpu, AnOverflowOfTheResultIsInfinite) {
  emulate_half_on_cpu();
  const at::Tensor x = torch::full({1, 2}, 256.0, torch::kHalf);
  EXPECT_TRUE(torch::mm(x, x.t()).isinf().all().item<bool>()) << "131072 does not fit";
  const at::Tensor y = torch::full({1, 2}, 128.0, torch::kHalf);
  EXPECT_EQ(torch::mm(y, y.t()).item<double>(), 32768.0);
}

}  // namespace half_on_cpu_test
}  // namespace amp

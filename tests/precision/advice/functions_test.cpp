// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/functions.h"

#include <gtest/gtest.h>

#include <ostream>

#include "reports/queries/ops.h"

namespace ampprof::advice {
namespace functions_test {

TEST(FunctionOf, DropsNamespaceOverloadAndUnderscore) {
  EXPECT_EQ(function_of("sum.dim_IntList"), "sum");
  EXPECT_EQ(function_of("aten::add_.Tensor"), "add");
  EXPECT_EQ(function_of("mylib::op.out"), "mylib::op");
  EXPECT_EQ(function_of("__and__.Tensor"), "__and__");
  EXPECT_TRUE(is_in_place("add_.Tensor"));
  EXPECT_FALSE(is_in_place("__and__.Tensor"));
}

struct Case {
  const char* name;
  std::vector<const char*> called;  ///< forward ops in module "m"
  const char* backward;
  const char* expected;  ///< "" if no function is expected
};

void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }

class BackwardOf : public testing::TestWithParam<Case> {};

TEST_P(BackwardOf, IsTheFunctionOfItsModule) {
  std::vector<queries::OpRow> ops;
  for (const char* op : GetParam().called) {
    queries::OpRow& row = ops.emplace_back();
    row.phase = Phase::Forward;
    row.module = "m";
    row.op = op;
  }
  const ForwardFunctions functions(ops);
  EXPECT_EQ(functions.behind("m", GetParam().backward).value_or(""), GetParam().expected);
  EXPECT_EQ(functions.behind("other", GetParam().backward), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, BackwardOf,
    testing::Values(Case{"convolution", {"conv2d", "relu"}, "convolution_backward", "conv2d"},
                    Case{"transposed", {"conv_transpose2d.input"}, "convolution_backward", "conv_transpose2d"},
                    Case{"linear", {"linear"}, "mm", "linear"}, Case{"einsum", {"einsum"}, "bmm", "einsum"},
                    Case{"two_that_fit", {"linear", "matmul"}, "mm", ""},
                    Case{"by_its_stem", {"sigmoid"}, "sigmoid_backward", "sigmoid"},
                    Case{"native", {"layer_norm"}, "native_layer_norm_backward", "layer_norm"},
                    Case{"softmax", {"softmax.int"}, "_softmax_backward_data", "softmax"},
                    Case{"overload", {"avg_pool2d"}, "avg_pool2d_backward.grad_input", "avg_pool2d"},
                    Case{"plain_op", {"mul.Tensor"}, "mul.Tensor", "mul"}, Case{"unknown", {"conv2d"}, "mm", ""}),
    [](const auto& info) { return info.param.name; });

TEST(ForwardFunctions, AreThoseOfTheForwardPhase) {
  queries::OpRow row;
  row.phase = Phase::Backward;
  row.op = "mul.Tensor";
  EXPECT_EQ(ForwardFunctions({row}).behind("", "mul.Tensor"), std::nullopt);
}

}  // namespace functions_test
}  // namespace ampprof::advice

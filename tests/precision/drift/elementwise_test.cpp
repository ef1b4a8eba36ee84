// SPDX-License-Identifier: Apache-2.0
#include "precision/drift/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ampprof::drift {
namespace {

std::vector<double> compute(std::string_view name, const std::vector<Operand>& operands, std::size_t size = 2) {
  const ElementwiseOp* op = elementwise_op(name);
  EXPECT_NE(op, nullptr) << name;
  std::vector<double> result(size);
  if (op != nullptr) op->compute(operands, result);
  return result;
}

TEST(ElementwiseTest, NamesComeWithOverloadInPlaceAndOverLists) {
  const ElementwiseOp* add = elementwise_op("add");
  ASSERT_NE(add, nullptr);
  for (const char* name : {"add.Tensor", "add_.Scalar", "_foreach_add.List", "_foreach_add_.ScalarList"}) {
    EXPECT_EQ(elementwise_op(name), add) << name;
  }
  for (const char* name : {"mm", "sum.dim_IntList", "_foreach_norm.Scalar", "relu", "myops::add", ""}) {
    EXPECT_EQ(elementwise_op(name), nullptr) << name;
  }
}

TEST(ElementwiseTest, ScalesTheSecondOperand) {
  const std::vector<double> x{1, 2};
  const std::vector<double> y{10, 20};
  const std::vector<double> z{2, 4};
  EXPECT_EQ(compute("add", {std::span<const double>(x), std::span<const double>(y), 0.5}),
            (std::vector<double>{6, 12}));
  EXPECT_EQ(compute("sub", {std::span<const double>(x), std::span<const double>(y), 0.5}),
            (std::vector<double>{-4, -8}));
  EXPECT_EQ(compute("rsub", {std::span<const double>(x), 1.0, 2.0}), (std::vector<double>{-1, -3}));
  EXPECT_EQ(
      compute("addcmul", {std::span<const double>(x), std::span<const double>(y), std::span<const double>(z), 0.5}),
      (std::vector<double>{11, 42}));
  EXPECT_EQ(
      compute("addcdiv", {std::span<const double>(x), std::span<const double>(y), std::span<const double>(z), 2.0}),
      (std::vector<double>{11, 12}));
  EXPECT_EQ(compute("lerp", {std::span<const double>(x), std::span<const double>(y), 0.25}),
            (std::vector<double>{3.25, 6.5}));
}

TEST(ElementwiseTest, AValueThatScalesIsOneWhereItIsAbsent) {
  for (const char* name : {"add", "sub", "rsub", "addcmul", "addcdiv"}) {
    EXPECT_EQ(elementwise_op(name)->default_value, 1.0) << name;
  }
  EXPECT_TRUE(std::isnan(elementwise_op("clamp")->default_value));
}

TEST(ElementwiseTest, ClampsToTheBoundsThatAreGivenAndKeepsNaN) {
  const std::vector<double> x{-3, 5};
  const std::vector<double> nan{NAN, 1};
  EXPECT_EQ(compute("clamp", {std::span<const double>(x), -1.0, Operand::absent()}), (std::vector<double>{-1, 5}));
  EXPECT_EQ(compute("clamp", {std::span<const double>(x), Operand::absent(), 1.0}), (std::vector<double>{-3, 1}));
  EXPECT_EQ(compute("clamp_min", {std::span<const double>(x), 0.0}), (std::vector<double>{0, 5}));
  EXPECT_EQ(compute("clamp_max", {std::span<const double>(x), 0.0}), (std::vector<double>{-3, 0}));
  EXPECT_TRUE(std::isnan(compute("clamp", {std::span<const double>(nan), -1.0, 1.0})[0]));
  EXPECT_TRUE(std::isnan(compute("maximum", {std::span<const double>(nan), 1.0})[0]));
  EXPECT_TRUE(std::isnan(compute("minimum", {std::span<const double>(nan), 1.0})[0]));
}

TEST(ElementwiseTest, MasksChoose) {
  const std::vector<double> mask{1, 0};
  const std::vector<double> x{3, 4};
  EXPECT_EQ(compute("where", {std::span<const double>(mask), std::span<const double>(x), 9.0}),
            (std::vector<double>{3, 9}));
  EXPECT_EQ(compute("masked_fill_", {std::span<const double>(x), std::span<const double>(mask), 9.0}),
            (std::vector<double>{9, 4}));
}

TEST(ElementwiseTest, AnOperandOfOneElementIsAValueForAll) {
  const std::vector<double> one{2};
  const std::vector<double> x{3, 4};
  EXPECT_EQ(compute("mul", {std::span<const double>(x), std::span<const double>(one)}), (std::vector<double>{6, 8}));
}

TEST(ElementwiseTest, RoundsNothing) {
  const double x = 1.0 + 0x1p-40;
  for (const char* name : {"clone", "to", "_to_copy", "contiguous"}) {
    EXPECT_EQ(compute(name, {x}, 1), std::vector<double>{x}) << name;
  }
  EXPECT_EQ(compute("copy_", {0.0, x}, 1), std::vector<double>{x});
  EXPECT_EQ(compute("pow", {3.0, 2.0}, 1), std::vector<double>{9});
  EXPECT_EQ(compute("sign", {-0.5}, 1), std::vector<double>{-1});
}

}  // namespace
}  // namespace ampprof::drift

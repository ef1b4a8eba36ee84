// SPDX-License-Identifier: Apache-2.0
#include "precision/error/products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <random>

#include "tests/precision/error/buffer.h"

namespace ampprof::error {
namespace products_test {

using testing_buffer::Buffer;

struct Types {
  DType a, b;
};
void PrintTo(const Types& types, std::ostream* out) {
  *out << static_cast<int>(types.a) << " times " << static_cast<int>(types.b);
}

/// Returns small values of any type, all of similar size.
Buffer filled(DType dtype, std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Buffer buffer(dtype, size, seed % 3);
  for (std::size_t i = 0; i < size; ++i) {
    if (size_of(dtype) >= 4) buffer.set(i, std::normal_distribution<double>()(random));
  }
  if (size_of(dtype) < 4) {
    for (std::size_t i = 0; i < size * static_cast<std::size_t>(size_of(dtype)); ++i) {
      buffer.bytes()[i] = static_cast<std::byte>(random() & 0x3fU);
    }
  }
  return buffer;
}

class ProductsOf : public testing::TestWithParam<Types> {};

TEST_P(ProductsOf, AreThoseOfDoubles) {
  for (const std::size_t size : testing_buffer::kSizes) {
    const Buffer a = filled(GetParam().a, size, 1), b = filled(GetParam().b, size, 2);
    const auto of_a = a.values(), of_b = b.values();
    ProductSums expected;
    double magnitude = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      const double product = of_a[i] * of_b[i];
      expected.merge({product, product * product});
      magnitude += std::abs(product);
    }
    for (const auto set : {cpu::InstructionSet::Baseline, cpu::InstructionSet::Avx2, cpu::InstructionSet::Avx512}) {
      if (set > cpu::best_instruction_set()) continue;
      const ProductSums found = cpu::products(a.elements(), b.elements(), set);
      EXPECT_NEAR(found.sum, expected.sum, 1e-12 * magnitude) << size;
      EXPECT_NEAR(found.sum_sq, expected.sum_sq, 1e-12 * expected.sum_sq) << size;
    }
  }
}

TEST_P(ProductsOf, AreNotFiniteWhereAnElementIsNot) {
  if (size_of(GetParam().a) < 4) GTEST_SKIP() << "a narrow type is set by its bits";
  for (const double wild : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    Buffer a = filled(GetParam().a, 257, 1);
    a.set(200, wild);
    Buffer ones(DType::Float, 257, 0);
    for (std::size_t i = 0; i < 257; ++i) ones.set(i, 1.0);
    const ProductSums found = cpu::products(a.elements(), ones.elements());
    EXPECT_FALSE(std::isfinite(found.sum));
    EXPECT_FALSE(std::isfinite(found.sum_sq));
  }
}

TEST(ProductsOfMean, AreThoseOfDoubles) {
  for (const std::size_t size : testing_buffer::kSizes) {
    const Buffer a = filled(DType::Float, size, 1), other = filled(DType::Half, size, 2);
    const Buffer b = filled(DType::BFloat16, size, 3);
    const auto of_a = a.values(), of_other = other.values(), of_b = b.values();
    ProductSums expected;
    double magnitude = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      const double product = (of_a[i] + of_other[i]) / 2 * of_b[i];
      expected.merge({product, product * product});
      magnitude += std::abs(product);
    }
    for (const auto set : {cpu::InstructionSet::Baseline, cpu::InstructionSet::Avx2, cpu::InstructionSet::Avx512}) {
      if (set > cpu::best_instruction_set()) continue;
      const ProductSums found = cpu::products_of_mean(a.elements(), other.elements(), b.elements(), set);
      EXPECT_NEAR(found.sum, expected.sum, 1e-12 * magnitude) << size;
      EXPECT_NEAR(found.sum_sq, expected.sum_sq, 1e-12 * expected.sum_sq) << size;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Products, ProductsOf,
                         testing::Values(Types{DType::Float, DType::BFloat16}, Types{DType::Float, DType::Float},
                                         Types{DType::Half, DType::BFloat16},
                                         Types{DType::Float8E4M3, DType::Float8E5M2},
                                         Types{DType::Double, DType::BFloat16}, Types{DType::Float, DType::Double},
                                         Types{DType::Double, DType::Double}));

}  // namespace products_test
}  // namespace ampprof::error

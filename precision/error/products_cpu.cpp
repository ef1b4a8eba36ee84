// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "precision/error/products.h"
#include "precision/formats/types/dispatch.h"
#include "precision/formats/types/widen.h"

namespace ampprof::error::cpu {
namespace {

constexpr std::size_t kBlock = 2048;  ///< elements per block: both inputs, as floats, fit into the L1 cache

template <int /*Width*/>
struct Products {
  template <typename A, typename B>
  [[gnu::always_inline]] static void of(const A* a, const B* b, std::size_t size, ProductSums& sums) {
    double sum = 0.0, sum_sq = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
      sum += product;
      sum_sq += product * product;
    }
    sums.merge({sum, sum_sq});
  }
};

template <int /*Width*/>
struct ProductsOfMean {
  [[gnu::always_inline]] static void of(const float* a, const float* other, const float* b, std::size_t size,
                                        ProductSums& sums) {
    double sum = 0.0, sum_sq = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      const double mean = 0.5 * (static_cast<double>(a[i]) + static_cast<double>(other[i]));
      const double product = mean * static_cast<double>(b[i]);
      sum += product;
      sum_sq += product * product;
    }
    sums.merge({sum, sum_sq});
  }
};

template <typename T>
const T* values_of(const Elements& part, float* wide) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<const double*>(part.data);
  } else {
    return as_floats(part, wide);
  }
}

template <typename A, typename B>
ProductSums sums_of(const Elements& a, const Elements& b, InstructionSet instructions) {
  const auto products = loop_for<Products, const A*, const B*, std::size_t, ProductSums&>(instructions);
  alignas(64) std::array<float, kBlock> wide_a, wide_b;
  ProductSums sums;
  for (std::size_t start = 0; start < a.size; start += kBlock) {
    const std::size_t size = std::min(kBlock, a.size - start);
    products.run(values_of<A>(a.part(start, size), wide_a.data()), values_of<B>(b.part(start, size), wide_b.data()),
                 size, sums);
  }
  return sums;
}

}  // namespace

ProductSums products(Elements a, Elements b, InstructionSet instructions) {
  if (a.dtype != DType::Double && b.dtype == DType::Double) std::swap(a, b);
  if (b.dtype == DType::Double) return sums_of<double, double>(a, b, instructions);
  if (a.dtype == DType::Double) return sums_of<double, float>(a, b, instructions);
  return sums_of<float, float>(a, b, instructions);
}

ProductSums products_of_mean(Elements a, Elements other, Elements b, InstructionSet instructions) {
  const auto products =
      loop_for<ProductsOfMean, const float*, const float*, const float*, std::size_t, ProductSums&>(instructions);
  alignas(64) std::array<float, kBlock> wide_a, wide_other, wide_b;
  ProductSums sums;
  for (std::size_t start = 0; start < a.size; start += kBlock) {
    const std::size_t size = std::min(kBlock, a.size - start);
    const auto part_of = [&](const Elements& all, auto& wide) { return as_floats(all.part(start, size), wide.data()); };
    products.run(part_of(a, wide_a), part_of(other, wide_other), part_of(b, wide_b), size, sums);
  }
  return sums;
}

}  // namespace ampprof::error::cpu

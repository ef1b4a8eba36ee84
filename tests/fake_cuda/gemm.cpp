// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/gemm.h"

#include <algorithm>
#include <vector>

#include "tests/fake_cuda/arena.h"
#include "tests/fake_cuda/number.h"

namespace fake_cuda {
namespace {

float at(const Matrices& matrices, long batch, long row, long column) {
  if (matrices.is_transposed) std::swap(row, column);
  const long place = batch * matrices.stride + column * matrices.leading + row;
  return static_cast<float>(element(arena::on_host(matrices.data), matrices.type, static_cast<std::size_t>(place)));
}

/// Returns the rows one after another, so that the inner loop of compute() reads memory in order.
std::vector<float> unpacked(const Matrices& matrices, long batch, long rows, long columns, bool by_columns) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (long i = 0; i < (by_columns ? columns : rows); ++i) {
    for (long j = 0; j < (by_columns ? rows : columns); ++j) {
      values.push_back(by_columns ? at(matrices, batch, j, i) : at(matrices, batch, i, j));
    }
  }
  return values;
}

void compute_one(const Gemm& gemm, long batch) {
  const std::vector<float> a = unpacked(gemm.a, batch, gemm.m, gemm.k, false);
  const std::vector<float> b = unpacked(gemm.b, batch, gemm.k, gemm.n, true);
  void* const result = arena::on_host(gemm.d.data);
  for (long column = 0; column < gemm.n; ++column) {
    for (long row = 0; row < gemm.m; ++row) {
      float sum = 0;
      for (long i = 0; i < gemm.k; ++i) {
        sum += a[static_cast<std::size_t>(row * gemm.k + i)] * b[static_cast<std::size_t>(column * gemm.k + i)];
      }
      float value = gemm.alpha * sum;
      if (gemm.beta != 0) value += gemm.beta * at(gemm.c, batch, row, column);
      if (gemm.bias != nullptr) {
        value += static_cast<float>(element(arena::on_host(gemm.bias), gemm.d.type, static_cast<std::size_t>(row)));
      }
      const long place = batch * gemm.d.stride + column * gemm.d.leading + row;
      store(result, gemm.d.type, static_cast<std::size_t>(place), gemm.relu ? std::max(value, 0.0F) : value);
    }
  }
}

}  // namespace

void compute(const Gemm& gemm) {
  for (long batch = 0; batch < gemm.batch; ++batch) compute_one(gemm, batch);
}

}  // namespace fake_cuda

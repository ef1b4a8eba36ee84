// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/precision/replay/reference/call_op.h"

/// Table test of reference execution: compares the reference of an op in reduced precision with the test's own
/// computation. Each file of cases includes this header and instantiates ReferenceOf.
namespace ampprof {

using at::Tensor;
using Tensors = std::vector<Tensor>;

inline Tensor half(at::IntArrayRef sizes, double scale = 1.0) { return (at::randn(sizes) * scale).to(at::kHalf); }
inline Tensor positive(at::IntArrayRef sizes) { return (at::rand(sizes) + 0.5).to(at::kHalf); }
inline Tensor single(at::IntArrayRef sizes) { return at::randn(sizes); }
inline Tensor labels(std::int64_t size, std::int64_t classes) { return at::randint(classes, {size}); }
inline c10::IValue ints(std::vector<std::int64_t> values) { return c10::List<std::int64_t>(std::move(values)); }
inline c10::IValue none() { return {}; }
inline c10::IValue type(at::ScalarType type) { return static_cast<std::int64_t>(type); }
inline c10::IValue list(Tensors tensors) { return c10::List<Tensor>(std::move(tensors)); }
inline c10::IValue mask3() { return c10::List<bool>({true, true, true}); }

/// An op on arguments in reduced precision, and the test's own computation of its results from FP64 copies of them.
struct Case {
  const char* name;
  const char* op;
  const char* overload;
  std::function<Values()> arguments;
  std::function<Tensors(const Values& d)> exact;
};

inline void PrintTo(const Case& row, std::ostream* out) { *out << row.op << '.' << row.overload; }

inline Tensor in(const c10::IValue& value) { return value.toTensor(); }

/// values_test.cpp defines the test of this suite.
class ReferenceOf : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override { at::manual_seed(7); }
};

inline std::string by_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

}  // namespace ampprof

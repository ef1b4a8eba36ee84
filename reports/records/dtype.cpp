// SPDX-License-Identifier: Apache-2.0
#include "reports/records/dtype.h"

#include <array>

namespace ampprof {
namespace {

struct Spec {
  DType dtype;
  std::string_view name;
  int size;
};

// In the order of DType.
constexpr std::array kSpecs{
    Spec{DType::Unknown, "?", 0},         Spec{DType::Float, "f32", 4},       Spec{DType::Double, "f64", 8},
    Spec{DType::Half, "f16", 2},          Spec{DType::BFloat16, "bf16", 2},   Spec{DType::Float8E4M3, "f8e4m3", 1},
    Spec{DType::Float8E5M2, "f8e5m2", 1}, Spec{DType::Bool, "b8", 1},         Spec{DType::UInt8, "u8", 1},
    Spec{DType::Int8, "i8", 1},           Spec{DType::Int16, "i16", 2},       Spec{DType::Int32, "i32", 4},
    Spec{DType::Int64, "i64", 8},         Spec{DType::Complex, "complex", 8},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kSpecs.size(); ++i) {
    if (static_cast<std::size_t>(kSpecs[i].dtype) != i) return false;
  }
  return true;
}
static_assert(in_order());

const Spec& spec_of(DType dtype) {
  const auto index = static_cast<std::size_t>(dtype);
  return kSpecs[index < kSpecs.size() ? index : 0];
}

}  // namespace

std::string_view short_name(DType dtype) { return spec_of(dtype).name; }

DType dtype_from(std::string_view short_name) {
  for (const Spec& spec : kSpecs) {
    if (spec.name == short_name) return spec.dtype;
  }
  return DType::Unknown;
}

int size_of(DType dtype) { return spec_of(dtype).size; }

}  // namespace ampprof

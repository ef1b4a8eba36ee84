// SPDX-License-Identifier: Apache-2.0
#include "reports/records/dtype.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace ampprof {
namespace dtype_test {

struct Case {
  DType dtype;
  const char* name;
  int number;
  int size;
  bool reduced;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class DTypes : public testing::TestWithParam<Case> {};

TEST_P(DTypes, KeepNumberNameAndSize) {
  const Case& c = GetParam();
  EXPECT_EQ(static_cast<int>(c.dtype), c.number) << "numbers are stored in report files";
  EXPECT_EQ(short_name(c.dtype), c.name);
  EXPECT_EQ(dtype_from(c.name), c.dtype);
  EXPECT_EQ(size_of(c.dtype), c.size);
  EXPECT_EQ(is_reduced_precision(c.dtype), c.reduced);
}

INSTANTIATE_TEST_SUITE_P(
    All, DTypes,
    testing::Values(Case{DType::Unknown, "?", 0, 0, false}, Case{DType::Float, "f32", 1, 4, false},
                    Case{DType::Double, "f64", 2, 8, false}, Case{DType::Half, "f16", 3, 2, true},
                    Case{DType::BFloat16, "bf16", 4, 2, true}, Case{DType::Float8E4M3, "f8e4m3", 5, 1, true},
                    Case{DType::Float8E5M2, "f8e5m2", 6, 1, true}, Case{DType::Bool, "b8", 7, 1, false},
                    Case{DType::UInt8, "u8", 8, 1, false}, Case{DType::Int8, "i8", 9, 1, false},
                    Case{DType::Int16, "i16", 10, 2, false}, Case{DType::Int32, "i32", 11, 4, false},
                    Case{DType::Int64, "i64", 12, 8, false}, Case{DType::Complex, "complex", 13, 8, false}),
    [](const auto& info) { return "number_" + std::to_string(info.param.number); });

TEST(DType, UnknownTextIsUnknown) {
  for (const char* text : {"", "f", "f322", "F32", "float", "f32 "})
    EXPECT_EQ(dtype_from(text), DType::Unknown) << text;
}

TEST(DType, ANumberOutOfRangeIsUnknown) {
  EXPECT_EQ(short_name(static_cast<DType>(14)), "?");
  EXPECT_EQ(size_of(static_cast<DType>(255)), 0);
}

}  // namespace dtype_test
}  // namespace ampprof

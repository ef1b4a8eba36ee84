// SPDX-License-Identifier: Apache-2.0
#include "reports/text/numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace ampprof::text {
namespace numbers_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Shown {
  const char* name;
  std::string (*show)(double);
  double value;
  const char* text;
};

void PrintTo(const Shown& shown, std::ostream* out) { *out << shown.name << ' ' << shown.value; }

class ShownNumber : public testing::TestWithParam<Shown> {};

TEST_P(ShownNumber, HasAtMostThreeSignificantDigits) { EXPECT_EQ(GetParam().show(GetParam().value), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(
    Numbers, ShownNumber,
    testing::Values(
        Shown{"zero", text::number, 0, "0"}, Shown{"whole", text::number, 32, "32"},
        Shown{"loss", text::number, 0.08123, "0.0812"}, Shown{"negative", text::number, -2.3456, "-2.35"},
        Shown{"carries_into_the_next_digit", text::number, 9.996, "10.0"},
        Shown{"carries_into_the_next_prefix", text::number, 999.7, "1.00k"},
        Shown{"thousands", text::number, 12345, "12.3k"}, Shown{"millions", text::number, 1.2e6, "1.20M"},
        Shown{"tiny", text::number, 4.1e-5, "4.10e-05"}, Shown{"huge", text::number, 1e30, "1.00e+30"},
        Shown{"not_a_number", text::number, kNan, "nan"}, Shown{"infinite", text::number, kInf, "inf"},
        Shown{"minus_infinite", text::number, -kInf, "-inf"}, Shown{"error", text::scientific, 4.88e-4, "4.9e-04"},
        Shown{"no_error", text::scientific, 0, "0"}, Shown{"rise", text::signed_scientific, 4.88e-4, "+4.9e-04"},
        Shown{"fall", text::signed_scientific, -4.88e-4, "-4.9e-04"},
        Shown{"no_change", text::signed_scientific, 0, "0"}, Shown{"nan_error", text::scientific, kNan, "nan"},
        Shown{"scale", text::plain, 65536, "65536"}, Shown{"small_scale", text::plain, 0.25, "0.25"},
        Shown{"bytes", text::bytes, 640, "640 B"}, Shown{"megabytes", text::bytes, 1.2e6, "1.20 MB"},
        Shown{"microsecond", text::microseconds, 3.2, "3.20 µs"},
        Shown{"millisecond", text::microseconds, 41000, "41.0 ms"},
        Shown{"second", text::microseconds, 2.1e6, "2.10 s"}, Shown{"share", text::percent, 0.25, "25%"},
        Shown{"small_share", text::percent, 0.001, "<1%"}, Shown{"no_share", text::percent, 0, "0%"},
        Shown{"clock", text::clock, 65, "1:05"}, Shown{"clock_of_hours", text::clock, 7390, "2:03:10"},
        Shown{"clock_of_an_hour", text::clock, 3600, "1:00:00"}, Shown{"clock_of_less", text::clock, 3599, "59:59"},
        Shown{"clock_of_minutes", text::clock, 3540, "59:00"}, Shown{"clock_at_first", text::clock, 0, "0:00"},
        Shown{"clock_before", text::clock, -5, "0:00"}, Shown{"three_digits", text::number, 123.4, "123"},
        Shown{"largest_plain", text::number, 999, "999"}, Shown{"smallest_with_prefix", text::number, 1000, "1.00k"},
        Shown{"smallest_plain", text::number, 1e-3, "0.00100"},
        Shown{"below_the_smallest", text::number, 9.99e-4, "9.99e-04"},
        Shown{"largest_with_prefix", text::number, 9.99e14, "999T"},
        Shown{"above_the_largest", text::number, 1e15, "1.00e+15"}, Shown{"no_bytes", text::bytes, 0, "0 B"},
        Shown{"kilobyte", text::bytes, 1000, "1.00 kB"}, Shown{"beyond_the_units", text::bytes, 1e18, "1000000 TB"},
        Shown{"infinite_bytes", text::bytes, kInf, "inf"}, Shown{"nan_time", text::microseconds, kNan, "nan"},
        Shown{"milliseconds", text::milliseconds, 1.5, "1.50 ms"}, Shown{"nan_share", text::percent, kNan, "nan"},
        Shown{"share_of_a_percent", text::percent, 0.0051, "1%"}, Shown{"half_a_percent", text::percent, 0.005, "1%"},
        Shown{"less_than_half_a_percent", text::percent, 0.00499, "<1%"},
        Shown{"little_less_than_none", text::percent, -0.001, "0%"},
        Shown{"negative_share", text::percent, -0.25, "-25%"},
        Shown{"uncertainty", text::uncertainty, 0.01234, "0.012"},
        Shown{"nan_uncertainty", text::uncertainty, kNan, "nan"}, Shown{"nan_scale", text::plain, kNan, "nan"}),
    [](const auto& info) { return info.param.name; });

TEST(Numbers, CountsStayExactBelowTenThousand) {
  EXPECT_EQ(text::count(9999), "9999");
  EXPECT_EQ(text::count(10000), "10.0k");
  EXPECT_EQ(text::count(-9999), "-9999");
  EXPECT_EQ(text::count(-10000), "-10.0k");
  EXPECT_EQ(text::count(12345), "12.3k");
  EXPECT_EQ(text::count(std::numeric_limits<std::int64_t>::min()), "-9.22e+18");
}

TEST(Numbers, KeepTheirDecimals) {
  EXPECT_EQ(text::fixed(8, 1), "8.0");
  EXPECT_EQ(text::fixed(0.9, 1), "0.9");
  EXPECT_EQ(text::fixed(-14.26, 1), "-14.3");
  EXPECT_EQ(text::fixed(-0.04, 1), "0.0") << "zero has no sign";
  EXPECT_EQ(text::fixed(2.5, 0), "2");
  EXPECT_EQ(text::fixed(-kInf, 1), "-inf");
}

TEST(Numbers, SayWhatIsAbsent) {
  EXPECT_EQ(text::shown(std::optional<double>{}, text::number), "-");
  EXPECT_EQ(text::shown(std::optional<double>{2.0}, text::number), "2");
}

TEST(Numbers, NounsFollowTheirCount) {
  EXPECT_EQ(text::counted(1, "step"), "1 step");
  EXPECT_EQ(text::counted(0, "step"), "0 steps");
}

}  // namespace numbers_test
}  // namespace ampprof::text

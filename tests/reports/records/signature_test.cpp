// SPDX-License-Identifier: Apache-2.0
#include "reports/records/signature.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <ostream>
#include <random>
#include <string>

namespace ampprof {
namespace signature_test {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

struct Case {
  const char* name;
  Signature signature;
  std::string text;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << " \"" << c.text << '"'; }

class SignatureText : public testing::TestWithParam<Case> {};

TEST_P(SignatureText, IsWrittenAndReadBack) {
  EXPECT_EQ(to_text(GetParam().signature), GetParam().text);
  EXPECT_EQ(signature_from(GetParam().text), GetParam().signature);
}

const TensorInfo kUndefined{};

INSTANTIATE_TEST_SUITE_P(
    Signature, SignatureText,
    testing::Values(
        Case{"nothing", {}, ""},  //
        Case{"scalar", {{{DType::Float, {}}}, {}}, "f32[]"}, Case{"undefined", {{kUndefined}, {}}, "-"},
        Case{"undefined_between", {{{DType::Half, {2}}, kUndefined, {DType::Int64, {0}}}, {}}, "f16[2] - i64[0]"},
        Case{"unknown_type", {{{DType::Unknown, {3}}}, {}}, "?[3]"},
        Case{"largest_size", {{{DType::Bool, {kLargest}}}, {}}, "b8[9223372036854775807]"},
        Case{"attributes_only", {{}, {{"groups", "1"}}}, "groups=1"},
        Case{"empty_value", {{}, {{"bias", ""}}}, "bias="}, Case{"value_with_equals", {{}, {{"a", "b=c"}}}, "a=b=c"},
        Case{"strides", {{{DType::Half, {64, 33}, {40, 1}}, {DType::Half, {33, 8}}}, {}}, "f16[64,33]{40,1} f16[33,8]"},
        Case{"alignment", {{{DType::Half, {2, 3}, {}, 2}}, {}}, "f16[2,3]@2"},
        Case{"both", {{{DType::Half, {2, 3}, {0, 1}, 8}}, {{"groups", "1"}}}, "f16[2,3]{0,1}@8 groups=1"},
        Case{"convolution",
             {{{DType::Float, {64, 1, 28, 28}}, {DType::Float, {32, 1, 3, 3}}, {DType::Float, {32}}},
              {{"groups", "1"}, {"padding", "[1,1]"}}},
             "f32[64,1,28,28] f32[32,1,3,3] f32[32] groups=1 padding=[1,1]"}),
    [](const auto& info) { return info.param.name; });

TEST(Signature, RandomOnesComeBack) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % n); };
  for (int round = 0; round < 2'000; ++round) {
    Signature signature;
    for (int t = below(5); t > 0; --t) {
      TensorInfo& tensor = signature.tensors.emplace_back(TensorInfo{static_cast<DType>(below(14)), {}});
      for (int d = below(6); d > 0; --d) tensor.shape.push_back(static_cast<std::int64_t>(random()) >> below(32));
    }
    for (int a = below(3); a > 0; --a)
      signature.attributes.emplace_back("a" + std::to_string(a), std::to_string(random()));
    ASSERT_EQ(signature_from(to_text(signature)), signature) << to_text(signature);
  }
}

TEST(Signature, BlanksInValuesAreLeftOut) { EXPECT_EQ(to_text({{}, {{"padding", "[1, 1]"}}}), "padding=[1,1]"); }

TEST(Signature, MayNameEveryAlignment) {
  for (const int alignment : {1, 2, 15, kFullAlignment}) {
    EXPECT_EQ(signature_from("f32[1]@" + std::to_string(alignment)).tensors,
              (std::vector<TensorInfo>{{DType::Float, {1}, {}, alignment}}));
  }
}

TEST(Signature, FindsAttributes) {
  const Signature signature = signature_from("f32[2] groups=4 groups=5");
  EXPECT_EQ(signature.attribute("groups", "1"), "4");
  EXPECT_EQ(signature.attribute("stride", "1"), "1");
  EXPECT_EQ(signature.attribute("stride"), "");
}

struct Hostile {
  const char* name;
  std::string text;
};

void PrintTo(const Hostile& c, std::ostream* out) { *out << c.name; }

class HostileSignature : public testing::TestWithParam<Hostile> {};

// Each hostile text stands between two valid tensors. The parser must stop before the text.
TEST_P(HostileSignature, YieldsTheTensorsBeforeIt) {
  EXPECT_EQ(signature_from("f16[2,3] " + GetParam().text + " i8[1]"), signature_from("f16[2,3]"));
}

INSTANTIATE_TEST_SUITE_P(
    Signature, HostileSignature,
    testing::Values(Hostile{"number_too_large", "f32[9223372036854775808]"},
                    Hostile{"number_of_a_thousand_digits", "f32[" + std::string(1'000, '9') + "]"},
                    Hostile{"negative", "f32[-1]"}, Hostile{"plus", "f32[+1]"}, Hostile{"comma_first", "f32[,1]"},
                    Hostile{"comma_last", "f32[1,]"}, Hostile{"two_commas", "f32[1,,2]"}, Hostile{"no_end", "f32[1,2"},
                    Hostile{"no_end_but_a_digit", "f32[12"}, Hostile{"no_begin", "f32"},
                    Hostile{"no_begin_but_an_end", "12]"}, Hostile{"no_type", "[1]"}, Hostile{"bracket_alone", "["},
                    Hostile{"closed_first", "]["}, Hostile{"behind_the_end", "f32[1]x"},
                    Hostile{"deep", std::string(100'000, '[')},
                    Hostile{"deep_and_closed", std::string(50'000, '[') + std::string(50'000, ']')},
                    Hostile{"no_attribute_name", "=1"}, Hostile{"hexadecimal", "f32[0x10]"}, Hostile{"two_blanks", ""},
                    Hostile{"tab", "\t"}, Hostile{"too_few_strides", "f32[1,2]{1}"}, Hostile{"no_strides", "f32[1]{}"},
                    Hostile{"open_strides", "f32[1]{1"}, Hostile{"closed_strides", "f32[1]1}"},
                    Hostile{"strides_alone", "{1}"}, Hostile{"no_alignment", "f32[1]@"},
                    Hostile{"alignment_alone", "@2"}, Hostile{"zero_alignment", "f32[1]@0"},
                    Hostile{"large_alignment", "f32[1]@32"}, Hostile{"two_alignments", "f32[1]@2@2"},
                    Hostile{"aligned_undefined", "-@2"}, Hostile{"nul", std::string(1, '\0')}),
    [](const auto& info) { return info.param.name; });

TEST(Signature, EveryCutOfATextIsRead) {
  const std::string text = "f32[64,1] - bf16[7] groups=12";
  const Signature whole = signature_from(text);
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const Signature part = signature_from(text.substr(0, length));
    ASSERT_LE(part.tensors.size(), whole.tensors.size());
    for (std::size_t i = 0; i < part.tensors.size(); ++i) EXPECT_EQ(part.tensors[i], whole.tensors[i]) << length;
  }
}

TEST(Signature, AHundredThousandTensorsAreRead) {
  std::string text = "f32[1]";
  for (int i = 1; i < 100'000; ++i) text += " f32[1]";
  EXPECT_EQ(signature_from(text).tensors.size(), 100'000u);
}

}  // namespace signature_test
}  // namespace ampprof

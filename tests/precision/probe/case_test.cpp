// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/case.h"

#include <gtest/gtest.h>

#include <ostream>
#include <random>

namespace ampprof::probe {
namespace case_test {

ProbedMatmul matmul(const char* op, const char* signature, DType dtype = DType::Half) { return {op, signature, dtype}; }

std::string text_of(const MatrixLayout& layout) {
  std::string text = layout.is_transposed ? "t" : "n";
  if (layout.leading > 0) text += std::to_string(layout.leading);
  if (layout.offset > 0) text += "+" + std::to_string(layout.offset);
  return text;
}

std::string text_of(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string text_of(const Workload& workload) {
  if (const auto* gemm = std::get_if<GemmCase>(&workload)) {
    return std::to_string(gemm->batch) + ": " + std::to_string(gemm->m) + ' ' + std::to_string(gemm->n) + ' ' +
           std::to_string(gemm->k) + ' ' + text_of(gemm->a) + ' ' + text_of(gemm->b) + (gemm->has_bias ? " bias" : "");
  }
  const auto& of = std::get<ConvolutionCase>(workload);
  return text_of(of.input) + " * " + text_of(of.weight) + " s" + text_of(of.stride) + " p" + text_of(of.padding) +
         " d" + text_of(of.dilation) + " o" + text_of(of.output_padding) + " g" + std::to_string(of.groups) +
         (of.is_transposed ? " transposed" : "") + (of.is_backward ? " backward" : "") +
         (of.is_channels_last ? " channels_last" : "");
}

struct Read {
  const char* op;
  const char* signature;
  const char* expected;  ///< "" if the case cannot be rebuilt
};

void PrintTo(const Read& read, std::ostream* out) { *out << read.op << " (" << read.signature << ')'; }

class ProbeCaseOf : public testing::TestWithParam<Read> {};

TEST_P(ProbeCaseOf, IsReadFromTheSignature) {
  const auto workload = workload_of(matmul(GetParam().op, GetParam().signature));
  EXPECT_EQ(workload ? text_of(*workload) : "", GetParam().expected);
}

std::string by_index(const testing::TestParamInfo<Read>& info) { return std::to_string(info.index); }

INSTANTIATE_TEST_SUITE_P(
    Gemm, ProbeCaseOf,
    testing::Values(Read{"aten::mm", "f16[2,3] f16[3,5]", "1: 2 5 3 n n"},
                    Read{"mm", "f16[2,3]{1,2} f16[3,5]{1,3}", "1: 2 5 3 t t"},
                    Read{"mm", "f16[2,3]{40,1}@2 f16[3,5]{1,8}@8", "1: 2 5 3 n40+1 t8+4"},
                    Read{"mm", "f32[2,3]{40,1}@4 f32[3,5]{1,3}", "1: 2 5 3 n t"},  // AMP cast the operands
                    Read{"mm", "f16[2,3]{6,2} f16[3,5]{0,1}", "1: 2 5 3 n n"},     // a strided slice, an expanded row
                    Read{"addmm", "f16[5] f16[2,3] f16[3,5]", "1: 2 5 3 n n bias"},
                    Read{"addmm", "f16[2,5] f16[2,3] f16[3,5]", "1: 2 5 3 n n"},
                    Read{"linear", "f16[4,2,3] f16[5,3] f16[5]", "1: 8 5 3 n t bias"},
                    Read{"linear", "f16[2,3] f16[5,3]{1,5} -", "1: 2 5 3 n n"},
                    Read{"linear", "f16[2,3] f16[5,3]", "1: 2 5 3 n t"},
                    Read{"_addmm_activation", "f16[5] f16[2,3] f16[3,5]", "1: 2 5 3 n n bias"},
                    Read{"baddbmm", "f16[5] f16[1,2,3] f16[1,3,5]", "1: 2 5 3 n n"},
                    Read{"mm", "f16[2,3]{3,1}@1 f16[3,5]{5,1}", "1: 2 5 3 n+1 n"},
                    Read{"mm", "f16[2,2147483647] f16[2147483647,5]", "1: 2 5 2147483647 n n"},
                    Read{"mm", "f16[2,3] f16[3,2147483648]", ""},
                    Read{"mm", "f16[2,3]{2147483647,1} f16[3,5]", "1: 2 5 3 n2147483647 n"},
                    Read{"mm", "f16[2,3]{2147483648,1} f16[3,5]", ""},
                    Read{"mm", "f16[2,3] f16[3,5]{2147483648,1}", ""},
                    Read{"baddbmm", "f16[7,2,5] f16[7,2,3] f16[7,3,5]", "7: 2 5 3 n n"},
                    Read{"bmm", "f16[7,2,3]{6,1,2} f16[7,3,5]", "7: 2 5 3 t n"},
                    Read{"mm", "f16[2,3] f16[3,5] f16", "1: 2 5 3 n n"}, Read{"mm", "f16[2,3]", ""},
                    Read{"mm", "f16[2,9000000000] f16[9000000000,5]", ""}, Read{"lstm", "f16[2,3] f16[3,5]", ""},
                    Read{"add", "f16[2,3] f16[2,3]", ""}),
    by_index);

INSTANTIATE_TEST_SUITE_P(
    Convolution, ProbeCaseOf,
    testing::Values(Read{"conv2d", "f16[8,3,32,32] f16[64,3,3,3] - stride=1 padding=1 dilation=1 groups=1",
                         "8,3,32,32 * 64,3,3,3 s1,1 p1,1 d1,1 o0,0 g1"},
                    Read{"conv2d", "f16[3,32,32] f16[64,3,3,5] stride=2,1 padding=same dilation=1,2",
                         "1,3,32,32 * 64,3,3,5 s2,1 p1,4 d1,2 o0,0 g1"},
                    Read{"conv1d", "f16[8,4,100] f16[32,2,5] stride=1 padding=valid dilation=1 groups=2",
                         "8,4,100 * 32,2,5 s1 p0 d1 o0 g2"},
                    Read{"conv2d", "f16[8,3,32,32]{3072,1,96,3} f16[64,3,1,1] stride=1 padding=0 dilation=1",
                         "8,3,32,32 * 64,3,1,1 s1,1 p0,0 d1,1 o0,0 g1 channels_last"},
                    Read{"conv_transpose2d.input",
                         "f16[8,100,1,1] f16[100,512,4,4] - stride=2 padding=1 dilation=1 output_padding=1",
                         "8,100,1,1 * 100,512,4,4 s2,2 p1,1 d1,1 o1,1 g1 transposed"},
                    Read{"convolution_backward",
                         "f16[8,64,32,32] f16[8,3,32,32] f16[64,3,3,3] stride=1 padding=1 dilation=1 transposed=0",
                         "8,3,32,32 * 64,3,3,3 s1,1 p1,1 d1,1 o0,0 g1 backward"},
                    Read{"conv1d", "f16[8,3,100]{300,1,3} f16[64,3,1] stride=1 padding=0 dilation=1 groups=0",
                         "8,3,100 * 64,3,1 s1 p0 d1 o0 g1 channels_last"},
                    Read{"conv1d", "f16[3,100]{200,1} f16[64,3,1] stride=1 padding=0 dilation=1",
                         "1,3,100 * 64,3,1 s1 p0 d1 o0 g1"},
                    Read{"conv2d", "f16[8,1,32,32]{1024,1,32,1} f16[64,1,1,1] stride=1 padding=0 dilation=1",
                         "8,1,32,32 * 64,1,1,1 s1,1 p0,0 d1,1 o0,0 g1"},
                    Read{"conv1d", "f16[1,1,2147483647] f16[1,1,1] stride=2147483647 padding=2147483647 dilation=1",
                         "1,1,2147483647 * 1,1,1 s2147483647 p2147483647 d1 o0 g1"},
                    Read{"conv1d", "f16[1,1,2147483648] f16[1,1,1] stride=1 padding=0 dilation=1", ""},
                    Read{"conv1d", "f16[1,1,9] f16[2147483648,1,1] stride=1 padding=0 dilation=1", ""},
                    Read{"conv1d", "f16[8,3,9] f16[64,3,3] stride=1 padding=1 dilation=1 groups=7", ""},
                    Read{"conv1d", "f16[8,3,9] f16[64,3,3] padding=1 dilation=1", ""},
                    Read{"conv1d", "f16[8,3,9] f16[64,3,3] stride=1 dilation=1", ""},
                    Read{"conv1d", "f16[8,3,9] f16[64,3,3] stride=1 padding=1", ""},
                    Read{"conv1d", "f16[8,3,9] f16[64,3,3] stride=1 padding=same", ""},
                    Read{"conv1d", "f16[8,3,9] f16[64,3,3] stride=1 padding=1 dilation=1 output_padding=x", ""},
                    Read{"conv2d", "f16[8,3,32,32] f16[64,3,3,3]", ""},                                    // no stride
                    Read{"conv2d", "f16[8,3,32,32] f16[64,3,3,3] stride=0 padding=1 dilation=1", ""},      // impossible
                    Read{"conv2d", "f16[8,3,32,32] f16[64,3,3,3] stride=1,1,1 padding=1 dilation=1", ""},  // too many
                    Read{"conv2d", "f16[8,3,32,32] f16[64,3,3,3] stride=1 padding=1x dilation=1", ""},
                    Read{"conv2d", "f16[8,3,32,32] f16[64,3,3,3] stride=1 padding=-1 dilation=1", ""},
                    Read{"conv2d", "f16[8,3,32,32] f16[64,3,3,3] stride=1 padding=9000000000 dilation=1", ""}),
    by_index);

TEST(ProbeCaseOf, ATypeThatCannotBeTimedIsNone) {
  const char* signature = "f32[2,3] f32[3,5]";
  for (const DType dtype : {DType::Half, DType::BFloat16, DType::Float, DType::Double}) {
    EXPECT_TRUE(workload_of(matmul("mm", signature, dtype)));
  }
  for (const DType dtype : {DType::Unknown, DType::Float8E4M3, DType::Int8, DType::Complex}) {
    EXPECT_FALSE(workload_of(matmul("mm", signature, dtype)));
  }
}

TEST(PaddedCase, HasTheSizesThatTheRulesWantAndLiesWell) {
  const auto gemm = workload_of(matmul("mm", "f16[2,3]{40,1}@2 f16[3,5]{1,8}"));
  const std::vector<rules::Fault> faults{{"N", 5, 8, 1}, {"K", 3, 8, 2}, {"leading dimension of operand A", 40, 48}};
  EXPECT_EQ(text_of(padded(*gemm, faults)), "1: 2 8 8 n t");
  EXPECT_EQ(text_of(padded(*gemm, {{"address alignment of operand A", 2, 16}})), "1: 2 5 3 n t");
}

TEST(PaddedCase, PadsTheChannelsOfEachGroup) {
  const std::string rest = " stride=1 padding=1 dilation=1 groups=2";
  const auto forward = workload_of(matmul("conv2d", ("f16[8,6,9,9] f16[10,3,3,3]" + rest).c_str()));
  const std::vector<rules::Fault> faults{{"C_in / groups", 3, 8, 0}, {"C_out / groups", 5, 8, 1}};
  EXPECT_EQ(text_of(padded(*forward, faults)), "8,16,9,9 * 16,8,3,3 s1,1 p1,1 d1,1 o0,0 g2");
  EXPECT_EQ(sizes_of(padded(*forward, faults)), "C_in = 16, C_out = 16, batch = 8");
  const auto transposed = workload_of(matmul("conv_transpose2d.input", ("f16[8,6,9,9] f16[6,5,3,3]" + rest).c_str()));
  EXPECT_EQ(sizes_of(*transposed), "C_in = 6, C_out = 10, batch = 8");
  EXPECT_EQ(text_of(padded(*transposed, faults)), "8,16,9,9 * 16,8,3,3 s1,1 p1,1 d1,1 o0,0 g2 transposed");
}

/// Returns `text` with one or two of its numbers replaced.
std::string damaged(std::string text, std::mt19937& random) {
  static const std::vector<std::string> kNumbers{"0", "1", "33", "2147483647", "2147483648", "9223372036854775807",
                                                 "-1"};
  static const std::string kDigits = "0123456789";
  for (auto times = 1 + random() % 2; times > 0; --times) {
    const auto begin = text.find_first_of(kDigits, random() % text.size());
    if (begin == text.npos) continue;
    const auto end = std::min(text.find_first_not_of(kDigits, begin), text.size());
    text.replace(begin, end - begin, kNumbers[random() % kNumbers.size()]);
  }
  return text;
}

TEST(ProbeCaseOf, ADamagedSignatureIsPossibleOrNone) {
  const std::vector<std::pair<const char*, std::string>> calls{
      {"mm", "f16[64,33]{40,1}@2 f16[33,128]{1,33}"},
      {"linear", "f16[4,64,33] f16[128,33] f16[128]"},
      {"baddbmm", "f16[5,64,128] f16[5,64,33] f16[5,33,128]"},
      {"conv2d", "f16[8,6,9,9] f16[64,3,3,3] stride=1 padding=same dilation=2 groups=2"},
      {"conv_transpose2d.input", "f16[8,6,9,9] f16[6,5,3,3] stride=2 padding=1,0 dilation=1 groups=2"}};
  std::mt19937 random(5);
  int possible = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto& [op, signature] = calls[random() % calls.size()];
    const std::string text = damaged(signature, random);
    const auto workload = workload_of(matmul(op, text.c_str()));
    if (!workload) continue;
    ++possible;
    const Workload other = padded(
        *workload, {{"a", 1, 2147483648, 0}, {"b", 1, 16, 1}, {"c", 1, 16, 2}, {"d", 1, 16, 3}, {"e", 1, 16, 9}});
    EXPECT_EQ(is_convolution(other), is_convolution(*workload));
    EXPECT_NE(sizes_of(other), "") << op << ' ' << text;
  }
  EXPECT_GT(possible, 1000);
}

TEST(PaddedCase, SaysItsSizes) {
  EXPECT_EQ(sizes_of(*workload_of(matmul("mm", "f16[2,3] f16[3,5]"))), "M = 2, N = 5, K = 3");
  EXPECT_EQ(sizes_of(*workload_of(matmul("bmm", "f16[7,2,3] f16[7,3,5]"))), "M = 2, N = 5, K = 3, batch = 7");
}

}  // namespace case_test
}  // namespace ampprof::probe

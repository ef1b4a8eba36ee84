// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/matmuls/matmul.h"

#include <gtest/gtest.h>

#include <ostream>

namespace ampprof::rules {
namespace matmul_test {

std::string listed(const Dimensions& dims) {
  std::string text;
  for (const auto& [name, size] : dims) text += name + "=" + std::to_string(size) + " ";
  return text;
}

struct Dims {
  const char* op;
  const char* signature;
  const char* expected;  ///< "" if the op has no matmul
};

void PrintTo(const Dims& dims, std::ostream* out) { *out << dims.op << " (" << dims.signature << ')'; }

class MatmulDims : public testing::TestWithParam<Dims> {};

TEST_P(MatmulDims, AreReadFromTheSignature) {
  const auto matmul = matmul_of(GetParam().op, signature_from(GetParam().signature));
  EXPECT_EQ(matmul ? listed(matmul->dims) : "", GetParam().expected);
}

std::string by_index(const testing::TestParamInfo<Dims>& info) { return std::to_string(info.index); }

INSTANTIATE_TEST_SUITE_P(Gemm, MatmulDims,
                         testing::Values(Dims{"mm", "f16[2,3] f16[3,5]", "M=2 N=5 K=3 "},
                                         Dims{"aten::mm.out", "f16[2,3] f16[3,5] f16[2,5]", "M=2 N=5 K=3 "},
                                         Dims{"addmm", "f16[5] f16[2,3] f16[3,5]", "M=2 N=5 K=3 "},
                                         Dims{"addmm_", "f16[2,5] f16[2,3] f16[3,5]", "M=2 N=5 K=3 "},
                                         Dims{"bmm", "f16[7,2,3] f16[7,3,5]", "M=2 N=5 K=3 batch=7 "},
                                         Dims{"bmm", "f16[1,2,3] f16[1,3,5]", "M=2 N=5 K=3 "},
                                         Dims{"baddbmm", "f16[7,2,5] f16[7,2,3] f16[7,3,5]", "M=2 N=5 K=3 batch=7 "},
                                         Dims{"addbmm", "f16[2,5] f16[7,2,3] f16[7,3,5]", "M=2 N=5 K=3 batch=7 "},
                                         Dims{"_addmm_activation", "f16[5] f16[2,3] f16[3,5]", "M=2 N=5 K=3 "},
                                         Dims{"_scaled_mm", "f8e4m3[2,3] f8e4m3[3,5]", "M=2 N=5 K=3 "},
                                         Dims{"mm", "f16[1,1] f16[1,1]", "M=1 N=1 K=1 "},
                                         Dims{"matmul", "f16[2,3] f16[3,5]", "M=2 N=5 K=3 "},
                                         Dims{"matmul", "f16[6,4,2,3] f16[4,3,5]", "M=2 N=5 K=3 batch=24 "},
                                         Dims{"matmul", "f16[4,2,3] f16[3,5]", "M=8 N=5 K=3 "},
                                         Dims{"matmul", "f16[4,2,3] f16[4,3,5]", "M=2 N=5 K=3 batch=4 "},
                                         Dims{"matmul", "f16[2,3] f16[6,4,3,5]", "M=2 N=5 K=3 batch=24 "},
                                         Dims{"linear", "f32[64,784] f32[10,784] f32[10]", "M=64 N=10 K=784 "},
                                         Dims{"linear", "f32[8,16,784] f32[10,784] -", "M=128 N=10 K=784 "}),
                         by_index);

INSTANTIATE_TEST_SUITE_P(
    Convolution, MatmulDims,
    testing::Values(
        Dims{"conv1d", "f16[8,3,100] f16[32,3,5] f16[32] groups=1", "C_in=3 C_out=32 batch=8 groups=1 "},
        Dims{"conv2d", "f16[8,3,32,32] f16[64,3,3,3] -", "C_in=3 C_out=64 batch=8 groups=1 "},
        Dims{"conv2d", "f16[3,32,32] f16[64,3,3,3] -", "C_in=3 C_out=64 batch=1 groups=1 "},
        Dims{"conv2d.padding", "f16[8,64,32,32] f16[64,16,3,3] groups=4", "C_in=64 C_out=64 batch=8 groups=4 "},
        Dims{"conv3d", "f16[2,4,5,6,7] f16[8,4,3,3,3]", "C_in=4 C_out=8 batch=2 groups=1 "},
        Dims{"conv2d", "f16[1,1,1,1] f16[1,1,1,1] groups=0", "C_in=1 C_out=1 batch=1 groups=1 "},
        Dims{"cudnn_convolution", "f16[8,3,9,9] f16[64,3,3,3]", "C_in=3 C_out=64 batch=8 groups=1 "},
        Dims{"cudnn_convolution_transpose", "f16[8,12,9,9] f16[12,5,4,4]", "C_in=12 C_out=5 batch=8 groups=1 "},
        Dims{"conv_transpose3d", "f16[8,12,9,9,9] f16[12,5,4,4,4]", "C_in=12 C_out=5 batch=8 groups=1 "},
        Dims{"convolution", "f16[8,12,9,9] f16[12,5,4,4] transposed=True", "C_in=12 C_out=5 batch=8 groups=1 "},
        Dims{"convolution", "f16[8,12,9,9] f16[12,5,4,4] transposed=true", "C_in=12 C_out=5 batch=8 groups=1 "},
        Dims{"convolution", "f16[8,5,9,9] f16[12,5,4,4] transposed=false", "C_in=5 C_out=12 batch=8 groups=1 "},
        Dims{"convolution", "f16[8,5,9,9] f16[12,5,4,4]", "C_in=5 C_out=12 batch=8 groups=1 "},
        Dims{"conv_transpose2d.input", "f16[8,100,1,1] f16[100,512,4,4] - groups=1",
             "C_in=100 C_out=512 batch=8 groups=1 "},
        Dims{"conv_transpose1d", "f16[8,12,9] f16[12,5,4] groups=2", "C_in=12 C_out=10 batch=8 groups=2 "},
        Dims{"convolution", "f16[8,12,9,9] f16[12,5,4,4] groups=2 transposed=1", "C_in=12 C_out=10 batch=8 groups=2 "},
        Dims{"_convolution", "f16[8,12,9,9] f16[30,4,3,3] groups=3 transposed=0", "C_in=12 C_out=30 batch=8 groups=3 "},
        Dims{"convolution_backward", "f16[8,64,32,32] f16[8,3,32,32] f16[64,3,3,3] groups=1",
             "C_in=3 C_out=64 batch=8 groups=1 "}),
    by_index);

INSTANTIATE_TEST_SUITE_P(
    NoMatmul, MatmulDims,
    testing::Values(Dims{"add.Tensor", "f16[8,8] f16[8,8]", ""}, Dims{"mv", "f16[8,8] f16[8]", ""},
                    Dims{"dot", "f16[8] f16[8]", ""}, Dims{"addmv", "f16[8] f16[8,8] f16[8]", ""},
                    Dims{"outer", "f16[8] f16[8]", ""}, Dims{"matmul", "f16[8,8] f16[8]", ""},
                    Dims{"matmul", "f16[8] f16[8,8]", ""}, Dims{"linear", "f16[8] f16[4,8] -", ""},
                    Dims{"mm", "f16[0,8] f16[8,8]", ""}, Dims{"mm", "f16[8,8]", ""}, Dims{"mm", "- -", ""},
                    Dims{"conv2d", "- -", ""}, Dims{"mm", "f16[8,0] f16[0,8]", ""}, Dims{"mm", "f16[8,8] f16[8,0]", ""},
                    Dims{"bmm", "f16[0,2,3] f16[0,3,5]", ""}, Dims{"bmm", "f16[8,8] f16[8,8]", ""},
                    Dims{"bmm", "f16[7,2,3] f16[3,5]", ""}, Dims{"bmm", "f16[2,3] f16[7,3,5]", ""},
                    Dims{"mm", "f16[7,2,3] f16[3,5]", ""}, Dims{"mm", "f16[2,3] f16[7,3,5]", ""},
                    Dims{"linear", "f16[4,8] f16[8] -", ""}, Dims{"conv2d", "f16[8,3,8,8]", ""},
                    Dims{"conv2d", "f16[8,3,8,8] f16[0,3,3,3]", ""}, Dims{"conv1d", "f16[8,3] f16[4,3]", ""},
                    Dims{"conv2d", "f16[2,8,3,8,8] f16[8,3,3,3]", ""},
                    Dims{"convolution_backward", "f16[8,8,8,8] f16[8,3,8,8]", ""},
                    Dims{"conv2d", "f16[0,3,8,8] f16[8,3,3,3]", ""},
                    Dims{"conv2d", "f16[8,3,8,8] f16[8,3,3,3] groups=7", ""}, Dims{"conv2d", "f16[8] f16[8,3,3,3]", ""},
                    Dims{"", "", ""}, Dims{"_", "f16[8,8] f16[8,8]", ""}),
    by_index);

// One LSTM layer with an input of 2 x 12 rows and 4 gates of 20 units.
constexpr const char* kLstm = "f16[2,12,30] f16[1,12,20] f16[1,12,20] f16[80,30] f16[80,20] f16[80] f16[80]";

INSTANTIATE_TEST_SUITE_P(
    Recurrent, MatmulDims,
    testing::Values(
        Dims{"lstm.input", kLstm, "hidden=20 input=30 batch=12 "},
        Dims{"lstm.data", "f16[40,30] i64[5] f16[1,12,20] f16[1,12,20] f16[80,30] f16[80,20]",
             "hidden=20 input=30 batch=12 "},
        Dims{"gru.input", "f16[2,12,30] f16[1,12,20] f16[60,30] f16[60,20] f16[60] f16[60]",
             "hidden=20 input=30 batch=12 "},
        Dims{"rnn_tanh.input", "f16[2,12,30] f16[1,12,20] f16[20,30] f16[20,20]", "hidden=20 input=30 batch=12 "},
        Dims{"rnn_relu.input", "f16[2,12,30] f16[1,12,20] f16[20,30] f16[20,20]", "hidden=20 input=30 batch=12 "},
        Dims{"lstm_cell", "f16[12,30] f16[12,20] f16[12,20] f16[80,30] f16[80,20]", "hidden=20 input=30 batch=12 "},
        Dims{"gru_cell", "f16[12,30] f16[12,20] f16[60,30] f16[60,20]", "hidden=20 input=30 batch=12 "},
        Dims{"rnn_tanh_cell", "f16[12,30] f16[12,20] f16[20,30] f16[20,20]", "hidden=20 input=30 batch=12 "},
        Dims{"_cudnn_rnn", "f16[2,12,30] f16[80,30] f16[80,20] f16[80] f16[80] - f16[1,12,20] f16[1,12,20]",
             "hidden=20 input=30 batch=12 "},
        Dims{"mkldnn_rnn_layer", "f32[2,12,30] f32[80,30] f32[80,20] f32[80] f32[80] f32[1,12,20] f32[1,12,20]",
             "hidden=20 input=30 batch=12 "},
        Dims{"rnn_relu_cell", "f16[12,30] f16[12,20] f16[20,30] f16[20,20]", "hidden=20 input=30 batch=12 "},
        Dims{"_cudnn_rnn", "f16[12,2,30] f16[20,30] f16[20,20] - f16[1,12,20]", "hidden=20 input=30 batch=12 "},
        Dims{"_cudnn_rnn_backward", "f16[2,12,30] f16[80,30] f16[80,20] - f16[1,12,20]",
             "hidden=20 input=30 batch=12 "},
        Dims{"mkldnn_rnn_layer_backward", "f32[2,12,30] f32[80,30] f32[80,20] f32[1,12,20]",
             "hidden=20 input=30 batch=12 "},
        Dims{"lstm.input", "f16[2,1,1] f16[1,1,1] f16[1,1,1] f16[4,1] f16[4,1]", "hidden=1 input=1 batch=1 "},
        Dims{"_cudnn_rnn", "f16[2,12,30] f16[80,30] f16[80,20]", ""}, Dims{"_cudnn_rnn", "", ""},
        Dims{"_cudnn_rnn", "f16[2,12,30] f16[80,30] f16[80,0] - f16[1,12,20]", ""},
        Dims{"_cudnn_rnn", "f16[2,12,30] f16[0,30] f16[80,20] - f16[1,12,20]", ""},
        Dims{"_cudnn_rnn", "f16[2,12,30] f16[1,12,20] f16[80,30]", ""},
        Dims{"rnn_tanh.input", "f16[0,12,30] f16[1,12,20] f16[20,30] f16[20,20]", ""},
        Dims{"rnn_tanh.input", "f16[2,12,30] f16[1,0,20] f16[20,30] f16[20,20]", ""},
        Dims{"rnn_tanh_cell", "f16[30] f16[20] f16[20,30] f16[20,20]", ""},
        Dims{"rnn_tanh_cell", "f16[12,30] f16[12,20] f16[20,30]", ""}, Dims{"lstm.input", "f16[2,12,30]", ""},
        Dims{"lstm.input", "f16[2,12,30] f16[1,12,20]", ""}, Dims{"lstm.input", "", ""},
        Dims{"lstm.input", "f16[2,12,30] f16[1,12,20] f16[1,12,20] f16[81,30] f16[81,20]", ""},
        Dims{"_cudnn_rnn", "f16[2,12,30] f16[8,30] f16[8,20] - f16[1,12,20]", ""}),
    by_index);

INSTANTIATE_TEST_SUITE_P(Embedding, MatmulDims,
                         testing::Values(Dims{"embedding", "f32[27,30] i64[8,9]", "vocabulary=27 embedding=30 "},
                                         Dims{"embedding_bag", "f32[27,30] i64[8]", "vocabulary=27 embedding=30 "},
                                         Dims{"embedding", "f32[1,1] i64[8]", "vocabulary=1 embedding=1 "},
                                         Dims{"embedding", "f32[0,30] i64[8]", ""},
                                         Dims{"embedding", "f32[27,0] i64[8]", ""},
                                         Dims{"embedding", "f32[27] i64[8]", ""}, Dims{"embedding", "", ""}),
                         by_index);

// The expected work of an op's matmuls.
struct Work {
  const char* name;
  const char* op;
  const char* signature;
  double multiplications;
  double elements;
  double rows;  ///< 0 if there is no single matrix to tile
  double columns;
  double count = 1;  ///< number of matrices of this size
};

void PrintTo(const Work& work, std::ostream* out) { *out << work.name; }

class MatmulWork : public testing::TestWithParam<Work> {};

double total(const std::vector<Term>& terms, const Dimensions& sizes) {
  double sum = 0;
  for (const Term& term : terms) sum += term.at(sizes);
  return sum;
}

TEST_P(MatmulWork, IsCounted) {
  const Work& work = GetParam();
  const auto matmul = matmul_of(work.op, signature_from(work.signature)).value();
  EXPECT_TRUE(matmul.counts_known);
  EXPECT_EQ(total(matmul.multiplications, matmul.alignable), work.multiplications);
  EXPECT_EQ(total(matmul.elements, matmul.alignable), work.elements);
  EXPECT_EQ(matmul.output ? matmul.output->rows.at(matmul.alignable) : 0, work.rows);
  EXPECT_EQ(matmul.output ? matmul.output->columns.at(matmul.alignable) : 0, work.columns);
  EXPECT_EQ(matmul.output ? matmul.output->count : 1, work.count);
}

INSTANTIATE_TEST_SUITE_P(
    Matmuls, MatmulWork,
    testing::Values(
        Work{"gemm", "mm", "f16[2,3] f16[3,5]", 30, 6 + 15 + 10, 2, 5},
        Work{"batched", "bmm", "f16[7,2,3] f16[7,3,5]", 210, 7 * 31, 2, 5, 7},
        Work{"convolution", "conv2d", "f16[2,3,8,9] f16[5,3,3,3] - groups=1 stride=1 padding=0 dilation=1",
             2. * 6 * 7 * 27 * 5, 2 * 3 * 72 + 135 + 2 * 5 * 42, 2 * 42, 5},
        Work{"strides_of_each_axis", "conv2d", "f16[2,3,8,9] f16[5,3,3,3] - stride=2,1 padding=1,0 dilation=1",
             2. * 4 * 7 * 27 * 5, 2 * 3 * 72 + 135 + 2 * 5 * 28, 2 * 28, 5},
        Work{"dilated", "conv1d", "f16[1,1,9] f16[1,1,3] - stride=1 padding=0 dilation=4", 3, 9 + 3 + 1, 1, 1},
        Work{"same", "conv1d.padding", "f16[1,1,9] f16[1,1,3] - stride=1 padding=same dilation=1", 27, 9 + 3 + 9, 9, 1},
        Work{"grouped", "conv2d", "f16[1,8,4,4] f16[6,4,1,1] - groups=2 stride=1 padding=0 dilation=1", 16. * 24,
             8 * 16 + 24 + 6 * 16, 16, 3, 2},
        Work{"one_image", "conv2d", "f16[3,8,9] f16[5,3,3,3] - groups=1 stride=1 padding=0 dilation=1", 6. * 7 * 27 * 5,
             3 * 72 + 135 + 5 * 42, 42, 5},
        Work{"along_three_axes", "conv3d", "f16[1,1,9,9,9] f16[1,1,1,1,1] stride=1,2,4 padding=0 dilation=1",
             9. * 5 * 3, 729 + 1 + 135, 135, 1},
        Work{"kernel_larger_than_the_image", "conv1d", "f16[1,1,2] f16[1,1,5] stride=1 padding=0 dilation=1", 0, 2 + 5,
             0, 1},
        Work{"transposed", "conv_transpose1d", "f16[2,4,5] f16[4,3,2] - stride=2 padding=0 dilation=1", 2. * 5 * 24,
             2 * 20 + 24 + 2 * 3 * 10, 10, 6},
        Work{"output_padding", "conv_transpose1d",
             "f16[2,4,5] f16[4,3,2] - stride=2 padding=0 dilation=1 output_padding=1", 2. * 5 * 24,
             2 * 20 + 24 + 2 * 3 * 11, 10, 6},
        Work{"transposed_and_padded", "conv_transpose1d", "f16[1,1,5] f16[1,1,3] - stride=2 padding=1 dilation=2", 15,
             5 + 3 + 11, 5, 3},
        Work{"backward", "convolution_backward", "f16[2,5,6,7] f16[2,3,8,9] f16[5,3,3,3] groups=1",
             2 * 2. * 6 * 7 * 27 * 5, 2 * (2 * 3 * 72 + 135 + 2 * 5 * 42), 0, 0},
        Work{"lstm", "lstm.input", kLstm, 2. * 12 * 80 * (30 + 20), 80 * 50 + 2 * 12 * (30 + 20), 12, 80},
        Work{"two_layers", "lstm.input",
             "f16[2,12,30] f16[2,12,20] f16[2,12,20] f16[80,30] f16[80,20] f16[80] f16[80] f16[80,20] f16[80,20]",
             2. * 12 * 80 * (30 + 20 + 20 + 20), 80 * 90 + 2 * 12 * (30 + 20 + 20 + 20), 12, 80},
        Work{"a_layer_behind_two_directions", "lstm.input",
             "f16[2,12,30] f16[2,12,20] f16[2,12,20] f16[80,30] f16[80,20] f16[80,40] f16[80,20]",
             2. * 12 * 80 * (30 + 20 + 40 + 20), 80 * 110 + 2 * 12 * (30 + 20 + 40 + 20), 12, 80},
        Work{"projected", "lstm.input", "f16[2,12,30] f16[1,12,20] f16[1,12,20] f16[80,30] f16[80,20] f16[10,20]",
             2. * 12 * 80 * (30 + 20), 80 * 50 + 2 * 12 * (30 + 20), 12, 80},
        Work{"backward_on_the_cpu", "mkldnn_rnn_layer_backward", "f32[2,12,30] f32[80,30] f32[80,20] f32[1,12,20]",
             2 * 2. * 12 * 80 * (30 + 20), 2 * (80 * 50 + 2 * 12 * (30 + 20)), 0, 0},
        Work{"backward_of_a_gru", "_cudnn_rnn_backward", "f16[2,12,30] f16[60,30] f16[60,20] - f16[1,12,20]",
             2 * 2. * 12 * 60 * (30 + 20), 2 * (60 * 50 + 2 * 12 * (30 + 20)), 0, 0}),
    [](const auto& info) { return info.param.name; });

TEST(MatmulWork, OfAnImageThatIsNotKnownIsNot) {
  const std::string shapes = "f16[2,3,8,9] f16[3,3,3,3] ";
  for (const char* attributes : {"", "padding=0 dilation=1", "stride=1 dilation=1", "stride=1 padding=0",
                                 "stride=0 padding=0 dilation=1", "stride=1,x padding=0 dilation=1"}) {
    const auto forward = matmul_of("conv2d", signature_from(shapes + attributes)).value();
    EXPECT_FALSE(forward.counts_known) << attributes;
    EXPECT_FALSE(forward.output) << attributes;
    const auto transposed = matmul_of("conv_transpose2d", signature_from(shapes + attributes)).value();
    EXPECT_FALSE(transposed.counts_known) << attributes;
    EXPECT_EQ(transposed.output->rows.at(transposed.alignable), 2 * 8 * 9) << "its rows are those of the input";
  }
  const auto backward = matmul_of("convolution_backward", signature_from("f16[7] f16[2,3,8,9] f16[5,3,3,3]")).value();
  EXPECT_FALSE(backward.counts_known) << "the gradient has no image";
  EXPECT_FALSE(matmul_of("embedding", signature_from("f32[27,30] i64[8]"))->counts_known);
}

TEST(MatmulLayout, OfAConvolutionIsThatOfItsAddresses) {
  const auto matmul = matmul_of("conv2d", signature_from("bf16[8,8,9,9]@4 f16[8,8,3,3]@8")).value();
  ASSERT_EQ(matmul.layouts.size(), 2u);
  EXPECT_EQ(matmul.layouts[0].name, "input");
  EXPECT_EQ(matmul.layouts[0].dtype, DType::BFloat16);
  EXPECT_EQ(matmul.layouts[0].alignment, 4);
  EXPECT_EQ(matmul.layouts[1].name, "weight");
  EXPECT_EQ(matmul.layouts[1].dtype, DType::Half);
  EXPECT_EQ(matmul.layouts[1].alignment, 8);
}

TEST(PlainName, LeavesOutNamespaceOverloadAndUnderscore) {
  EXPECT_EQ(plain_name("aten::addmm_.out"), "addmm");
  EXPECT_EQ(plain_name("mm"), "mm");
  EXPECT_EQ(plain_name("_"), "_");
}

struct Lay {
  const char* signature;
  std::string expected;  ///< name, leading dimension and alignment of each operand that is not in the default layout
};

void PrintTo(const Lay& lay, std::ostream* out) { *out << lay.signature; }

class MatmulLayout : public testing::TestWithParam<Lay> {};

TEST_P(MatmulLayout, IsReadFromStridesAndAddress) {
  std::string found;
  const auto matmul = matmul_of("matmul", signature_from(GetParam().signature)).value();
  for (const OperandLayout& layout : matmul.layouts) {
    found +=
        layout.name + ' ' + std::to_string(layout.leading_dimension) + '@' + std::to_string(layout.alignment) + ';';
  }
  EXPECT_EQ(found, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, MatmulLayout,
    testing::Values(Lay{"f16[8,4] f16[4,6]", ""},  //
                    Lay{"f16[8,4] f16[4,6]{1,4}", ""}, Lay{"f16[8,4] f16[4,6]{1,5}", "operand B 5@16;"},
                    Lay{"f16[8,4]{33,1} f16[4,6]", "operand A 33@16;"}, Lay{"f16[8,4]@2 f16[4,6]", "operand A 0@2;"},
                    Lay{"f16[3,8,4]{500,33,1}@4 f16[3,4,6]", "operand A 33@4;"}, Lay{"f16[8,4]{8,2} f16[4,6]", ""},
                    Lay{"f16[8,4]{4,1} f16[4,6]{6,1}", ""}, Lay{"f16[8,4]{4,1} f16[4,6]{1,4}", ""}),
    [](const auto& info) { return std::to_string(info.index); });

}  // namespace matmul_test
}  // namespace ampprof::rules

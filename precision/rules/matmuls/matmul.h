// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/records/signature.h"

namespace ampprof::rules {

using Dimensions = std::vector<std::pair<std::string, std::int64_t>>;

enum class MatmulKind { Gemm, Convolution, Recurrent, Embedding };

/// A count that depends on sizes which may be padded: `factor` times the sizes of Matmul::alignable at `of`. It is a
/// double, since shapes of a damaged report may be any number.
struct Term {
  double factor = 1.0;
  std::vector<std::size_t> of = {};

  double at(const Dimensions& sizes) const;
};

/// The matrix that Tensor Cores tile: rows x columns, `count` of them per launch.
struct OutputMatrix {
  Term rows;
  Term columns;
  double count = 1.0;
};

/// Memory layout of an operand that does not have contiguous rows at an aligned address.
struct OperandLayout {
  std::string name;  ///< "operand A"
  DType dtype = DType::Unknown;
  std::int64_t leading_dimension = 0;  ///< 0 if it follows from the sizes
  int alignment = kFullAlignment;      ///< of its address in bytes
};

/// A matmul for the Tensor Core rules: a GEMM, or the implicit GEMM of a convolution or a recurrent network.
struct Matmul {
  MatmulKind kind = MatmulKind::Gemm;
  Dimensions dims = {};       ///< for display: M, N, K; C_in, C_out, batch, groups; hidden, input, batch, ...
  Dimensions alignable = {};  ///< the dimensions whose sizes decide the efficiency of Tensor Cores
  bool is_depthwise = false;
  std::vector<Term> multiplications = {};
  std::vector<Term> elements = {};             ///< of operands and result
  bool counts_known = true;                    ///< false if only ratios of the two counts above are meaningful
  std::optional<OutputMatrix> output = {};     ///< empty if its rows are unknown
  std::vector<OperandLayout> layouts = {};     ///< of operands without contiguous rows at an aligned address
  std::optional<std::size_t> vocabulary = {};  ///< place in `alignable` of the vocabulary's size
};

/// Places of a matmul's operands among the tensors of its signature, and their meaning.
struct Operands {
  std::size_t a = 0;           ///< a convolution's input; operand B, its weight, follows
  bool is_transposed = false;  ///< B is [N,K], as linear() takes it; a transposed convolution
  bool is_backward = false;    ///< of a convolution; the output's gradient comes before the input
};

/// Returns "addmm" for "aten::addmm_.out".
std::string_view plain_name(std::string_view op);

/// Returns the matmul that an op computes, from its signature. `op` is the full name ("aten::addmm_.out"). Empty for
/// ops without a matmul and for empty products.
std::optional<Matmul> matmul_of(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules

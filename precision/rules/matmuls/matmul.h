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

/// A count that depends on sizes which may be padded: `factor` times the sizes in Matmul::alignable at the indices
/// `of`. The factor is a double, since shapes in a damaged report may be any number.
struct Term {
  double factor = 1.0;
  std::vector<std::size_t> of = {};

  double at(const Dimensions& sizes) const;
};

/// The result that is divided into tiles: rows x columns, `count` of them per launch.
struct OutputMatrix {
  Term rows;
  Term columns;
  double count = 1.0;
};

/// Memory layout of an operand whose rows are not contiguous or whose address is not aligned.
struct OperandLayout {
  std::string name;  ///< operand, in words: "operand A"
  DType dtype = DType::Unknown;
  std::int64_t leading_dimension = 0;  ///< elements from one row to the next; 0 if rows are adjacent
  int alignment = kFullAlignment;      ///< alignment of the operand's address in bytes
};

/// A matmul for the Tensor Core rules: a GEMM, or the implicit GEMM of a convolution or a recurrent network.
struct Matmul {
  MatmulKind kind = MatmulKind::Gemm;
  Dimensions dims = {};       ///< dimensions to display: M, N, K; C_in, C_out, batch, groups; hidden, input, batch, ...
  Dimensions alignable = {};  ///< the dimensions whose sizes decide the efficiency of Tensor Cores
  bool is_depthwise = false;
  std::vector<Term> multiplications = {};
  std::vector<Term> elements = {};             ///< elements of operands and result
  bool counts_known = true;                    ///< false if the two counts above have meaning only as ratios
  std::optional<OutputMatrix> output = {};     ///< empty if the number of rows is unknown
  std::vector<OperandLayout> layouts = {};     ///< layouts of strided or unaligned operands
  std::optional<std::size_t> vocabulary = {};  ///< index of the vocabulary size in `alignable`
};

/// Indices of a matmul's operands among the tensors of its signature, and their meaning.
struct Operands {
  std::size_t a = 0;           ///< operand A, a convolution's input; operand B, its weight, is the next tensor
  bool is_transposed = false;  ///< B is [N,K], as linear() takes it; or the convolution is transposed
  bool is_backward = false;    ///< backward of a convolution: the output gradient comes before the input
};

/// Removes namespace, overload and final "_": "addmm" for "aten::addmm_.out".
std::string_view plain_name(std::string_view op);

/// Returns the matmul that an op computes, from its signature. `op` is the full name ("aten::addmm_.out"). Empty for
/// ops without a matmul and for empty products.
std::optional<Matmul> matmul_of(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules

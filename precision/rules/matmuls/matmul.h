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

/// A count that depends on sizes which may be padded: `factor` times the sizes of Matmul::alignable at `of`.
/// A double: shapes of a damaged report may be any number.
struct Term {
  double factor = 1.0;
  std::vector<std::size_t> of = {};

  double at(const Dimensions& sizes) const;
};

/// The matrix that Tensor Cores tile: rows x columns, `count` of them in one launch.
struct OutputMatrix {
  Term rows;
  Term columns;
  double count = 1.0;
};

/// How an operand lies in memory, where that is not in whole rows at an aligned address.
struct OperandLayout {
  std::string name;  ///< "operand A"
  DType dtype = DType::Unknown;
  std::int64_t leading_dimension = 0;  ///< 0 where it follows from the sizes
  int alignment = kFullAlignment;      ///< of its address in bytes
};

/// A matmul as the Tensor Core rules look at it: a GEMM, or the implicit GEMM of a convolution or a recurrent network.
struct Matmul {
  MatmulKind kind = MatmulKind::Gemm;
  Dimensions dims = {};       ///< as shown to people: M, N, K; C_in, C_out, batch, groups; hidden, input, batch, ...
  Dimensions alignable = {};  ///< the dimensions whose size decides how well Tensor Cores are fed
  bool is_depthwise = false;
  std::vector<Term> multiplications = {};
  std::vector<Term> elements = {};          ///< of the operands and the result
  bool counts_known = true;                 ///< false where only ratios of the two above mean something
  std::optional<OutputMatrix> output = {};  ///< empty where its rows are not known
  std::vector<OperandLayout> layouts = {};  ///< of those operands that do not lie in whole rows at an aligned address
  std::optional<std::size_t> vocabulary = {};  ///< which of `alignable` is the size of the vocabulary
};

/// Where a matmul's operands stand among the tensors of its signature, and how they are meant.
struct Operands {
  std::size_t a = 0;           ///< a convolution's input; operand B, its weight, follows
  bool is_transposed = false;  ///< B is [N,K], as linear() takes it; a transposed convolution
  bool is_backward = false;    ///< of a convolution; the tensor before the input is the gradient of the output
};

/// "aten::addmm_.out" is addmm to the rules.
std::string_view plain_name(std::string_view op);

/// Reads what an op multiplies from what it received. `op` is the full name ("aten::addmm_.out"). Empty for ops that
/// are no matmul, and where nothing is multiplied.
std::optional<Matmul> matmul_of(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules

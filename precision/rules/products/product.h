// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/records/signature.h"

namespace ampprof {

using Dimensions = std::vector<std::pair<std::string, std::int64_t>>;

enum class ProductKind { Gemm, Convolution, Recurrent, Embedding };

/// A count that depends on sizes which may be padded: `factor` times the sizes of Product::alignable at `of`.
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

/// How a factor lies in memory, where that is not in whole rows at an aligned address.
struct Layout {
  std::string name;  ///< "left factor"
  DType dtype = DType::Unknown;
  std::int64_t leading_dimension = 0;  ///< 0 where it follows from the sizes
  int alignment = kFullAlignment;      ///< of its address in bytes
};

/// What an op multiplies: all that the Tensor Core rules look at.
struct Product {
  ProductKind kind = ProductKind::Gemm;
  Dimensions dims = {};       ///< as shown to people: I, J, K; C_in, C_out, batch, groups; hidden, input, batch, ...
  Dimensions alignable = {};  ///< the dimensions whose size decides how well Tensor Cores are fed
  bool is_depthwise = false;
  std::vector<Term> multiplications = {};
  std::vector<Term> elements = {};             ///< of the factors and the result
  bool counts_known = true;                    ///< false where only ratios of the two above mean something
  std::optional<OutputMatrix> output = {};     ///< empty where its rows are not known
  std::vector<Layout> layouts = {};            ///< of those factors that do not lie in whole rows at an aligned address
  std::optional<std::size_t> vocabulary = {};  ///< which of `alignable` is the size of the vocabulary
};

/// Where a product's factors stand among the tensors of its signature, and how they are meant.
struct Factors {
  std::size_t left = 0;        ///< a convolution's input; the right factor, its weight, follows
  bool is_transposed = false;  ///< a right factor [J,K], as linear() takes it; a transposed convolution
  bool is_backward = false;    ///< of a convolution; the tensor before the input is the gradient of the output
};

/// "aten::addmm_.out" is addmm to the rules.
std::string_view plain_name(std::string_view op);

/// Of a GEMM, by its plain name; empty for other ops.
std::optional<Factors> gemm_factors(std::string_view op);

/// Of a convolution, by its plain name; empty for other ops.
std::optional<Factors> convolution_factors(std::string_view op, const Signature& signature);

/// Reads a GEMM's dimensions from what the op received. `op` is a plain name: no namespace, overload or final "_".
/// Empty for other ops, for shapes that make it a matrix-vector product, and where nothing is multiplied.
std::optional<Product> gemm_product(std::string_view op, const Signature& signature);

/// The same for a convolution and its backward.
std::optional<Product> convolution_product(std::string_view op, const Signature& signature);

/// The same for a recurrent network (LSTM, GRU, tanh and ReLU) and for one cell of it.
std::optional<Product> recurrent_product(std::string_view op, const Signature& signature);

/// An embedding multiplies nothing, but its width and its vocabulary are sizes of the products that follow.
std::optional<Product> embedding_product(std::string_view op, const Signature& signature);

/// The product of an op by its full name ("aten::addmm_.out"), or empty.
std::optional<Product> product_of(std::string_view op, const Signature& signature);

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "precision/formats/recipes/layer.h"
#include "profiler/recipes/layer_call.h"
#include "profiler/recipes/recipe_row.h"

namespace ampprof::profiler {

/// Where a program computes: ids of the module's path and of the op.
struct LayerPlace {
  std::int32_t module = 0;
  std::int32_t op = 0;

  auto operator<=>(const LayerPlace&) const = default;
};

/// One layer of a call, and what each recipe decides on it.
struct RecipeLayer {
  LayerPlace place{};
  int number = 0;  ///< of attention in one kernel 1 and 2; 0 where it is the only one
  recipes::LayerSizes sizes{};
  std::int64_t groups = 1;  ///< products of these sizes
  products::Second second = products::Second::Weight;
  std::vector<recipes::Decision> decisions{};  ///< by recipe

  bool is_quantized_by_any() const;
  /// Lets no recipe take it, for this reason: a sentence.
  void leave(const std::string& reason);
};

/// Operands of a product, and whose they are.
struct ProductOf {
  Matmul matmul = Matmul::Fprop;
  const at::Tensor& first;
  const at::Tensor& second;
  const RecipeLayer& layer;
  const std::optional<products::ConvolutionMatrices>& convolution;
};

/// The products of several recipes. Thread-safe.
class RecipeProducts {
 public:
  /// Throws RecipeError for a recipe that cannot be had.
  explicit RecipeProducts(const std::vector<std::string>& names);

  std::size_t size() const { return recipes_.size(); }
  const recipes::Recipe& recipe(std::size_t i) const { return recipes_[i]; }

  /// Returns it with what they decide.
  RecipeLayer decided(RecipeLayer layer) const;
  /// Returns the row of a layer's matmul, without the segment and the call sites that it is of.
  RecipeRow row(std::size_t recipe, Matmul matmul, const RecipeLayer& layer) const;

  /// Returns those of the next product: a stream of random numbers, and the scales that were before it.
  products::ProductSettings settings(std::size_t recipe, const ProductOf& of);
  /// Multiplies rounded operands. The row is told what they lose.
  products::RoundedProduct product(std::size_t recipe, const ProductOf& of, products::ProductSettings settings,
                                   RecipeRow& row) const;

 private:
  /// Names the operand that a delayed scale is of, as a run in a recipe does, which knows of no call sites: recipe,
  /// place, number of the layer, rows, columns, matmul, operand.
  using AmaxPlace = std::tuple<std::size_t, LayerPlace, int, std::int64_t, std::int64_t, Matmul, int>;

  at::Tensor earlier_amax(const AmaxPlace& place, const at::Tensor& tensor, const recipes::Operand& operand,
                          recipes::Direction direction);

  std::vector<recipes::Recipe> recipes_;
  std::atomic<std::uint64_t> streams_{0};
  std::mutex mutex_;
  std::map<AmaxPlace, std::deque<at::Tensor>> amaxes_;
};

}  // namespace ampprof::profiler

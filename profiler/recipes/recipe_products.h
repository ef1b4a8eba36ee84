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

/// The ids of a call's module path and op.
struct LayerPlace {
  std::int32_t module = 0;
  std::int32_t op = 0;

  auto operator<=>(const LayerPlace&) const = default;
};

/// A layer in a call, and each recipe's decision whether to quantize it.
struct RecipeLayer {
  LayerPlace place{};
  int number = 0;  ///< 1 or 2 for fused attention; 0 for the only layer of a call
  recipes::LayerSizes sizes{};
  std::int64_t groups = 1;  ///< number of products of these sizes in the call
  products::Second second = products::Second::Weight;
  std::vector<recipes::Decision> decisions{};  ///< one per recipe

  bool is_quantized_by_any() const;
  /// Makes every recipe skip the layer. `reason`: a sentence for the report.
  void leave(const std::string& reason);
};

/// The operands of a product, and its layer.
struct ProductOf {
  Matmul matmul = Matmul::Fprop;
  const at::Tensor& first;
  const at::Tensor& second;
  const RecipeLayer& layer;
  const std::optional<products::ConvolutionMatrices>& convolution;
};

/// Computes products in several recipes. Thread-safe.
class RecipeProducts {
 public:
  /// Throws RecipeError if a recipe is unknown or cannot be loaded.
  explicit RecipeProducts(const std::vector<std::string>& names);

  std::size_t size() const { return recipes_.size(); }
  const recipes::Recipe& recipe(std::size_t i) const { return recipes_[i]; }

  /// Returns the layer with each recipe's decision on it.
  RecipeLayer decided(RecipeLayer layer) const;
  /// Returns the row of a layer's matmul, without its segment and call sites.
  RecipeRow row(std::size_t recipe, Matmul matmul, const RecipeLayer& layer) const;

  /// Returns the settings for the next product: a stream of random numbers, and for delayed scales the amax of earlier
  /// calls.
  products::ProductSettings settings(std::size_t recipe, const ProductOf& of);
  /// Multiplies the rounded operands. Stores the operands' rounding losses in `row`.
  products::RoundedProduct product(std::size_t recipe, const ProductOf& of, products::ProductSettings settings,
                                   RecipeRow& row) const;

 private:
  /// Identifies an operand with a delayed scale. Has no call site, as in a run with `--recipe`. The fields: recipe,
  /// place, number of the layer, rows, columns, matmul, operand (0 or 1).
  using AmaxPlace = std::tuple<std::size_t, LayerPlace, int, std::int64_t, std::int64_t, Matmul, int>;

  at::Tensor earlier_amax(const AmaxPlace& place, const at::Tensor& tensor, const recipes::Operand& operand,
                          recipes::Direction direction);

  std::vector<recipes::Recipe> recipes_;
  std::atomic<std::uint64_t> streams_{0};
  std::mutex mutex_;
  std::map<AmaxPlace, std::deque<at::Tensor>> amaxes_;
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/attention_products.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "precision/impact/difference.h"
#include "precision/replay/attention/kernels.h"

namespace ampprof::profiler {
namespace {

using attention::FusedAttention;
using attention::kKey;
using attention::kQuery;
using attention::kValue;
using attention::multiply_exactly;
using Part = FusedAttention::Part;
using products::ProductSettings;

std::size_t place_of(Part part) { return static_cast<std::size_t>(part); }

ProductOf product_of(const std::vector<RecipeLayer>& layers, Part part, Matmul matmul, const at::Tensor& first,
                     const at::Tensor& second) {
  static const std::optional<products::ConvolutionMatrices> kNone;
  return {matmul, first, second, layers[place_of(part)], kNone};
}

/// Identifies one of the four matmuls in attention's backward: the forward's product that it belongs to, and dgrad or
/// wgrad.
using BackwardPosition = std::pair<Part, Matmul>;

/// The matmuls that a recipe rounds, with their settings.
using Rounded = std::map<BackwardPosition, ProductSettings>;

/// Returns a function that computes an argument's gradient. The matmuls in `rounded` are computed in the recipe, all
/// others exactly.
GradientProduct gradient_product(const c10::FunctionSchema& schema, const recipes::Recipe& recipe, std::size_t argument,
                                 Matmul matmul, Rounded rounded) {
  const auto find = [&schema, recipe, argument, rounded = std::move(rounded)](c10::ArrayRef<c10::IValue> arguments,
                                                                              const at::Tensor& gradient) {
    const auto multiply = [&](Part part, Matmul of, const at::Tensor& first, const at::Tensor& second) {
      const auto found = rounded.find({part, of});
      if (found == rounded.end()) return multiply_exactly(part, of, first, second);
      return products::product(recipe, of, first, second, found->second).values;
    };
    return FusedAttention::of(schema, arguments)->gradient(argument, gradient, multiply);
  };
  return {.argument = argument, .matmul = matmul, .find = find};
}

/// Returns the products that compute the gradient of an argument. The rounding error of the attention weights' dgrad
/// affects the gradients of query and key. For key there are two products: the first has only this error, and the
/// second replaces it and adds the error of key's own wgrad.
std::vector<GradientProduct> gradient_products(const c10::FunctionSchema& schema, const recipes::Recipe& recipe,
                                               std::size_t argument, const Rounded& rounded) {
  constexpr BackwardPosition kOfWeights{Part::Results, Matmul::Dgrad}, kOfValue{Part::Results, Matmul::Wgrad};
  constexpr BackwardPosition kOfQuery{Part::Scores, Matmul::Dgrad}, kOfKey{Part::Scores, Matmul::Wgrad};
  const auto among = [&](std::initializer_list<BackwardPosition> places) {
    Rounded found = rounded;
    std::erase_if(found, [&](const auto& one) { return std::ranges::find(places, one.first) == places.end(); });
    return found;
  };
  std::vector<GradientProduct> products;
  const auto add = [&](Matmul matmul, Rounded of) {
    if (!of.empty()) products.push_back(gradient_product(schema, recipe, argument, matmul, std::move(of)));
  };
  if (argument == kValue) {
    add(Matmul::Wgrad, among({kOfValue}));
  } else if (argument == kQuery) {
    add(Matmul::Dgrad, among({kOfWeights, kOfQuery}));
  } else {
    add(Matmul::Dgrad, among({kOfWeights}));
    if (rounded.contains(kOfKey)) add(Matmul::Wgrad, among({kOfWeights, kOfKey}));
  }
  return products;
}

/// Returns the rounding errors of query and key. Only these cause the error of the scores, since the softmax rounds
/// nothing.
std::vector<RoundedOperand> rounded_operands(const AttentionCall& call, const products::RoundedProduct& scores) {
  const bool shares_heads = call.query.size(-3) != call.key.size(-3);
  if (shares_heads || !call.query.requires_grad() || !call.key.requires_grad()) return {};
  return {{call.query, rounding_of(call.on.as_query(scores.first), call.on.tensors().query)},
          {call.key, rounding_of(call.on.as_key(scores.second), call.on.tensors().key)}};
}

}  // namespace

std::vector<RecipeLayer> attention_layers(const RecipeProducts& products, LayerPlace place,
                                          const FusedAttention& attention) {
  std::vector<RecipeLayer> layers;
  for (const Part part : FusedAttention::kParts) {
    layers.push_back(products.decided({.place = place,
                                       .number = static_cast<int>(layers.size()) + 1,
                                       .sizes = attention.sizes(part),
                                       .groups = attention.groups(),
                                       .second = products::Second::Activation}));
  }
  return layers;
}

at::Tensor attention_in_recipes(RecipeProducts& products, const AttentionCall& call, RecipeFindings& findings) {
  at::Tensor output;
  for (std::size_t i = 0; i < products.size(); ++i) {
    OutputPair by_scores{.output = call.output, .high = call.exact, .matmul = Matmul::Fprop};
    OutputPair by_results = by_scores;
    bool any = false;
    const auto multiply = [&](Part part, Matmul matmul, const at::Tensor& first, const at::Tensor& second) {
      const ProductOf of = product_of(call.layers, part, matmul, first, second);
      RecipeRow& row = findings.rows.emplace_back(products.row(i, matmul, of.layer));
      at::Tensor exact = multiply_exactly(part, matmul, first, second);
      if (part == Part::Results && any) by_scores.low = call.on.as_output(exact);
      if (!row.row.is_quantized) return exact;
      any = true;
      const auto made = products.product(i, of, products.settings(i, of), row);
      auto measured = row.put_lengths(made.values, exact);
      if (part == Part::Scores) {
        by_scores.rounded = rounded_operands(call, made);
      } else {
        if (by_scores.low.defined()) by_results.high = by_scores.low;
        by_results.low = call.on.as_output(made.values);
        by_results.measured = std::move(measured);
      }
      return made.values;
    };
    const at::Tensor low = call.on.output(multiply);
    if (i > 0 || !any) continue;
    output = low;
    for (OutputPair* pair : {&by_scores, &by_results}) {
      if (!pair->low.defined()) continue;
      pair->difference = impact::difference(pair->low, pair->high);
      findings.pairs.push_back(std::move(*pair));
    }
  }
  return output;
}

void attention_backward_in_recipes(RecipeProducts& products, const AttentionGradients& call, RecipeFindings& findings) {
  for (std::size_t i = 0; i < products.size(); ++i) {
    Rounded rounded;
    std::set<BackwardPosition> seen;
    // Each product is measured on exact operands, so the next product gets the exact dgrad of the attention weights.
    const auto multiply = [&](Part part, Matmul matmul, const at::Tensor& first, const at::Tensor& second) {
      at::Tensor exact = multiply_exactly(part, matmul, first, second);
      if (!seen.insert({part, matmul}).second) return exact;
      const ProductOf of = product_of(call.layers, part, matmul, first, second);
      RecipeRow& row = findings.rows.emplace_back(products.row(i, matmul, of.layer));
      if (!row.row.is_quantized) return exact;
      const ProductSettings& settings = rounded[{part, matmul}] = products.settings(i, of);
      const at::Tensor low = products.product(i, of, settings, row).values;
      row.put_lengths(low, exact);
      const bool is_of_weights = part == Part::Results && matmul == Matmul::Dgrad;
      return is_of_weights ? exact : low;
    };
    for (const std::size_t argument : {kQuery, kKey, kValue}) {
      const at::Tensor& own = call.gradients[argument];
      if (!own.defined()) continue;
      const at::Tensor low = call.on.gradient(argument, call.of_output, multiply);
      auto of_argument = gradient_products(call.schema, products.recipe(i), argument, rounded);
      if (i > 0 || of_argument.empty()) continue;
      const at::Tensor high =
          own.scalar_type() == at::kFloat ? own : call.on.gradient(argument, call.of_output, multiply_exactly);
      findings.pairs.push_back({.output = own,
                                .low = low,
                                .high = high,
                                .matmul = argument == kQuery ? Matmul::Dgrad : Matmul::Wgrad,
                                .products = std::move(of_argument)});
    }
  }
}

}  // namespace ampprof::profiler

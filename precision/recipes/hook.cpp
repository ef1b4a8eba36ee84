// SPDX-License-Identifier: Apache-2.0
// Registers recipes with amp_core's hook when this library is loaded.
#include <ATen/ATen.h>
#include <torch/version.h>

#include <algorithm>
#include <optional>

#include "amp_core/casts/format_hook.h"
#include "amp_core/policy/cast_rule.h"
#include "precision/formats/products/arguments.h"
#include "precision/formats/products/matmuls.h"
#include "precision/formats/products/two_matrices.h"
#include "precision/recipes/attend.h"
#include "precision/recipes/delayed_scales.h"
#include "precision/recipes/layer_function.h"
#include "precision/recipes/plan.h"
#include "precision/recipes/random_keys.h"
#include "precision/recipes/skipped_layers.h"
#include "reports/records/matmul_op.h"

namespace amp::recipes {
namespace {

namespace products = ampprof::products;
using ampprof::Addend;
using ampprof::MatmulForm;
using ampprof::MatmulOp;
using ampprof::recipes::LayerSizes;
using products::Arguments;
using products::ConvolutionMatrices;
using products::TwoMatrices;

/// Facts about a call that the functions for all kinds of ops need.
struct Context {
  const c10::FunctionSchema& schema;
  Arguments arguments;
  const MatmulOp* op;  ///< null for attention
  std::string place;   ///< for messages and as key of histories: "decoder.fc2 (linear)"
  Formats formats;
};

Formats that_take(const Context& context, const LayerSizes& sizes) {
  return taken(context.formats, sizes, context.place);
}

std::string place_of(const Context& context, const LayerSizes& sizes) {
  return context.place + ' ' + std::to_string(sizes.rows) + 'x' + std::to_string(sizes.columns);
}

// ---- linear and products of matrices --------------------------------------------------------------------------------

std::optional<RecipeCall> linear(const Context& context) {
  const at::Tensor input = context.arguments.tensor("input");
  const at::Tensor weight = context.arguments.tensor("weight");
  if (weight.dim() != 2 || input.dim() < 1) return std::nullopt;
  const LayerSizes sizes{weight.size(0), weight.size(1), input.numel() / std::max<std::int64_t>(weight.size(1), 1)};
  const Formats formats = that_take(context, sizes);
  if (!formats.has_any()) return std::nullopt;
  const auto layer = std::make_shared<const Layer>(Layer{.formats = formats, .place = place_of(context, sizes)});
  return [layer, &schema = context.schema](std::span<const c10::IValue> values) {
    const Arguments arguments(schema, values);
    const at::Tensor x = arguments.tensor("input");
    const at::Tensor w = arguments.tensor("weight");
    std::vector<std::int64_t> output_sizes = x.sizes().vec();
    output_sizes.back() = w.size(0);
    return apply(layer, {x.reshape({-1, x.size(-1)}), w, arguments.optional_tensor("bias")}).reshape(output_sizes);
  };
}

/// Computes beta · self + alpha · product, for ops such as addmm.
at::Tensor added(const Arguments& arguments, const at::Tensor& product) {
  const double alpha = arguments.number("alpha", 1);
  const double beta = arguments.number("beta", 1);
  const at::Tensor scaled = alpha == 1 ? product : product * alpha;
  return beta == 0 ? scaled : at::add(scaled, arguments.tensor("self"), beta);
}

/// Tells whether the addend is the bias of a linear layer.
bool has_bias(const Arguments& arguments, TwoMatrices::Weight weight) {
  return arguments.number("alpha", 1) == 1 && arguments.number("beta", 1) == 1 && arguments.tensor("self").dim() == 1 &&
         weight != TwoMatrices::Weight::First;
}

std::optional<RecipeCall> product(const Context& context) {
  const std::size_t first = context.op->a;
  const bool adds = context.op->adds == Addend::First;
  const at::Tensor a = context.arguments.tensor_at(first), b = context.arguments.tensor_at(first + 1);
  if (a.dim() < 2 || b.dim() < 2 || context.arguments.find("out_dtype") != nullptr) return std::nullopt;
  const auto weight = TwoMatrices::weight_among(a, b);
  const TwoMatrices matrices(a.detach(), b.detach(), weight);
  const LayerSizes sizes = products::sizes_of(matrices.input(), matrices.weight());
  const Formats formats = that_take(context, sizes);
  if (!formats.has_any()) return std::nullopt;
  const auto layer = std::make_shared<const Layer>(
      Layer{.formats = formats, .second = matrices.second(), .place = place_of(context, sizes)});
  return [=, &schema = context.schema](std::span<const c10::IValue> values) {
    const Arguments arguments(schema, values);
    const TwoMatrices cast(arguments.tensor_at(first), arguments.tensor_at(first + 1), weight);
    const bool is_biased = adds && has_bias(arguments, weight);
    const auto bias = is_biased ? std::optional(arguments.tensor("self")) : std::nullopt;
    const at::Tensor y = cast.product_from(apply(layer, {cast.input(), cast.weight(), bias}));
    return adds && !is_biased ? added(arguments, y) : y;
  };
}

// ---- convolutions ---------------------------------------------------------------------------------------------------

/// Returns the padding as numbers, also for "same"; empty if "same" needs more padding on one side.
std::optional<std::vector<std::int64_t>> padding_of(const Arguments& arguments, c10::IntArrayRef weight) {
  const c10::IValue* padding = arguments.find("padding");
  if (padding == nullptr || !padding->isString()) return arguments.sizes("padding");
  std::vector<std::int64_t> both(weight.size() - 2, 0);
  if (padding->toStringRef() != "same") return both;
  const auto dilation = arguments.sizes("dilation");
  for (std::size_t d = 0; d < both.size(); ++d) {
    const std::int64_t whole =
        (dilation.empty() ? 1 : dilation[std::min(d, dilation.size() - 1)]) * (weight[d + 2] - 1);
    if (whole % 2 != 0) return std::nullopt;
    both[d] = whole / 2;
  }
  return both;
}

std::optional<Convolution> convolution_of(const Context& context, c10::IntArrayRef weight) {
  const Arguments& arguments = context.arguments;
  const auto padding = padding_of(arguments, weight);
  if (!padding) return std::nullopt;
  return Convolution{
      .stride = arguments.sizes("stride"),
      .padding = *padding,
      .dilation = arguments.sizes("dilation"),
      .is_transposed = arguments.is_on("transposed") || context.op->form == MatmulForm::TransposedConvolution,
      .output_padding = arguments.sizes("output_padding"),
      .groups = static_cast<std::int64_t>(arguments.number("groups", 1))};
}

/// Tells whether LibTorch accepts the convolution. If it does not, the call is left to LibTorch, which throws the
/// error.
bool can_be(const Convolution& convolution, std::int64_t channels, c10::IntArrayRef weight) {
  const std::int64_t groups = convolution.groups;
  if (groups < 1 || weight[0] % groups != 0) return false;
  if (std::ranges::any_of(convolution.stride, [](std::int64_t stride) { return stride < 1; })) return false;
  return channels == (convolution.is_transposed ? weight[0] : weight[1] * groups);
}

std::optional<RecipeCall> convolution(const Context& context) {
  const at::Tensor input = context.arguments.tensor("input");
  const at::Tensor weight = context.arguments.tensor("weight");
  if (weight.dim() < 3 || (input.dim() != weight.dim() && input.dim() != weight.dim() - 1)) return std::nullopt;
  const bool is_one_image = input.dim() == weight.dim() - 1;
  const auto parameters = convolution_of(context, weight.sizes());
  if (!parameters || !can_be(*parameters, input.size(is_one_image ? 0 : 1), weight.sizes())) return std::nullopt;
  const ConvolutionMatrices matrices(is_one_image ? input.unsqueeze(0).sizes() : input.sizes(), weight.sizes(),
                                     *parameters);
  const LayerSizes sizes = matrices.sizes();
  const Formats formats = that_take(context, sizes);
  if (!formats.has_any()) return std::nullopt;
  const auto layer = std::make_shared<const Layer>(
      Layer{.formats = formats, .convolution = matrices.convolution(), .place = place_of(context, sizes)});
  return [=, &schema = context.schema](std::span<const c10::IValue> values) {
    const Arguments arguments(schema, values);
    const at::Tensor x = arguments.tensor("input");
    const at::Tensor y = apply(
        layer, {is_one_image ? x.unsqueeze(0) : x, arguments.tensor("weight"), arguments.optional_tensor("bias")});
    return is_one_image ? y.squeeze(0) : y;
  };
}

// ---- attention ------------------------------------------------------------------------------------------------------

std::optional<RecipeCall> attention(const Context& context) {
  const at::Tensor query = context.arguments.tensor("query");
  const at::Tensor key = context.arguments.tensor("key");
  const at::Tensor value = context.arguments.tensor("value");
  if (query.dim() < 3) return std::nullopt;
  const LayerSizes scores{key.size(-2), query.size(-1), query.size(-2)};
  const LayerSizes results{value.size(-1), key.size(-2), query.size(-2)};
  const AttentionLayers layers{std::make_shared<const Layer>(Layer{
                                   that_take(context, scores), Second::Activation, {}, context.place + " scores"}),
                               std::make_shared<const Layer>(Layer{
                                   that_take(context, results), Second::Activation, {}, context.place + " results"})};
  if (!layers.scores->formats.has_any() && !layers.results->formats.has_any()) return std::nullopt;
  return [layers, &schema = context.schema](std::span<const c10::IValue> values) {
    return attend(layers, Arguments(schema, values));
  };
}

/// Key of tensors with named dimensions, which LibTorch has up to 2.14.
#if TORCH_VERSION_MINOR < 15
constexpr c10::DispatchKeySet kNamed(c10::DispatchKey::Named);
#else
constexpr c10::DispatchKeySet kNamed;
#endif

/// Tells whether rounding may read and write all tensors of a call: floating, not empty, in their own plain memory, and
/// without tangents, which C++ autograd functions do not support.
bool has_plain_tensors(std::span<const c10::IValue> arguments) {
  constexpr c10::DispatchKeySet kWrappers(
      {c10::DispatchKey::FuncTorchBatched, c10::DispatchKey::FuncTorchGradWrapper, c10::DispatchKey::Batched,
       c10::DispatchKey::Functionalize, c10::DispatchKey::Fake, c10::DispatchKey::NestedTensor,
       c10::DispatchKey::Python, c10::DispatchKey::ZeroTensor, c10::DispatchKey::Sparse, c10::DispatchKey::SparseCsr,
       c10::DispatchKey::MkldnnCPU});
  for (const c10::IValue& argument : arguments) {
    if (!argument.isTensor() || !argument.toTensor().defined()) continue;
    const at::Tensor& tensor = argument.toTensor();
    const auto type = tensor.scalar_type();
    const bool is_ours =
        !tensor.is_meta() && (type == at::kFloat || type == at::kBFloat16 || type == at::kHalf || type == at::kBool);
    if (!is_ours || tensor.key_set().has_any(kWrappers | kNamed) || tensor.layout() != at::kStrided) return false;
    if (tensor.numel() == 0 || tensor._fw_grad(/*level=*/0).defined()) return false;
  }
  return true;
}

using Kind = std::optional<RecipeCall> (*)(const Context&);

/// Returns the function that handles an op; null for a recurrent network.
Kind kind_of(std::string_view name, const MatmulOp* op) {
  if (name == "scaled_dot_product_attention") return attention;
  if (op == nullptr) return nullptr;
  if (op->form == MatmulForm::Linear) return linear;
  return op->is_convolution() ? convolution : product;
}

/// Returns how to run a call in recipes; empty if no recipe names the call, or if none quantizes its layer.
std::optional<RecipeCall> run_of(const Plan& plan, const FormatCall& call) {
  const std::string name = op_name_from(call.schema.name()).base;
  const MatmulOp* op = ampprof::matmul_op(name);
  const Kind kind = kind_of(name, op);
  if (kind == nullptr) return std::nullopt;
  const Formats formats = plan.formats_of(name, call.module);
  if (!formats.has_any() || !has_plain_tensors(call.arguments)) return std::nullopt;
  const std::string place = call.module.empty() ? name : call.module + " (" + name + ')';
  return kind({call.schema, {call.schema, call.arguments}, op, place, formats});
}

class PlanOfPolicy final : public RecipePlan {
 public:
  explicit PlanOfPolicy(const Policy& policy) : plan_(policy) {}

  std::optional<RecipeCall> run_of(const FormatCall& call) const override { return recipes::run_of(plan_, call); }

 private:
  Plan plan_;
};

class Hook final : public RecipeHook {
 public:
  std::shared_ptr<const RecipePlan> plan_of(const Policy& policy) override {
    return std::make_shared<const PlanOfPolicy>(policy);
  }
  void check(const std::string& recipe) override { check_format(recipe); }
  void restart() override {
    restart_random_keys();
    delayed_scales().forget();
  }
  void report_unquantized_layers(bool on) override { recipes::report_unquantized_layers(on); }
};

[[maybe_unused]] const bool is_registered = [] {
  static auto* const hook = new Hook();  // never destroyed: a backward may run while the process exits
  register_format_hook(*hook);
  return true;
}();

}  // namespace
}  // namespace amp::recipes

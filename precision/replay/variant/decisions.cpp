// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/variant/decisions.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "precision/replay/reference/reference.h"
#include "precision/replay/reference/skipped.h"

namespace ampprof::variant {
namespace {

/// Tells whether the integer results of an op decide nothing: they only record where floating-point results came from
/// (maxima in a pooling), or they are workspaces.
bool has_auxiliary_integers(std::string_view name) {
  constexpr std::string_view kParts[]{"max_pool",   "nll_loss", "attention", "embedding_bag",
                                      "batch_norm", "rnn",      "ctc_loss"};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// Tells whether an op returns indices of `self` along a dimension.
bool selects(std::string_view name) {
  static const std::unordered_set<std::string_view> kSelectors{
      "aten::argmax", "aten::argmin",    "aten::max",  "aten::min",    "aten::topk",   "aten::sort",
      "aten::median", "aten::nanmedian", "aten::mode", "aten::cummax", "aten::cummin", "aten::kthvalue"};
  return kSelectors.contains(name);
}

/// Returns the values of `self` at indices that an op of selects() returned.
at::Tensor values_at(const at::Tensor& self, const at::Tensor& indices, std::optional<std::int64_t> dim) {
  if (!dim) return self.reshape(-1).index_select(0, indices.reshape(-1)).reshape(indices.sizes());
  const bool keeps_dim = indices.dim() == self.dim();
  const at::Tensor values = self.gather(*dim, keeps_dim ? indices : indices.unsqueeze(*dim));
  return keeps_dim ? values : values.squeeze(*dim);
}

at::Tensor are_equal(const at::Tensor& a, const at::Tensor& b) { return (a == b) | ((a != a) & (b != b)); }

std::int64_t number_of_false(const at::Tensor& flags) {
  return flags.numel() - flags.count_nonzero().item<std::int64_t>();
}

/// Compares a selection by the values that run and variant chose.
ComparedChoice of_selection(std::string_view name, std::int64_t dim, const at::Tensor& of_run, const at::Tensor& own,
                            const at::Tensor& of_run_values, const at::Tensor& own_values) {
  const at::Tensor equal = are_equal(of_run_values, own_values);
  if (name != "aten::topk" && name != "aten::sort") {
    return {at::where(equal, of_run, own), {of_run.numel(), number_of_false(equal)}};
  }
  // Rows are replaced as a whole: a mix of both index sets might contain the same element twice.
  const at::Tensor result = at::where(equal.all(dim, /*keepdim=*/true), of_run, own);
  if (name == "aten::sort") return {result, {of_run.numel(), number_of_false(equal)}};
  const auto in_order = [&](const at::Tensor& values) { return std::get<0>(values.sort(dim)); };
  const at::Tensor same_rows = are_equal(in_order(of_run_values), in_order(own_values)).all(dim);
  return {result, {same_rows.numel(), number_of_false(same_rows)}};
}

std::int64_t decisions_in(std::string_view name, const at::Tensor& result, std::optional<std::int64_t> dim) {
  const bool is_of_rows = name == "aten::topk" && dim && result.dim() > 0 && result.size(*dim) > 0;
  return is_of_rows ? result.numel() / result.size(*dim) : result.numel();
}

}  // namespace

bool has_own_integers(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments, const at::Tensor& result) {
  return result.defined() && !reference::may_draw(op, arguments) && !has_auxiliary_integers(op.operator_name().name);
}

bool decides(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const std::string_view name = op.operator_name().name;
  return reference::any_floating(arguments) && !reference::only_draws(name) && !name.starts_with("aten::new_");
}

ComparedChoice compare_choices(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                               const at::Tensor& self, const at::Tensor& of_run, const at::Tensor& own) {
  const std::string_view name = op.operator_name().name;
  const auto given = reference::argument_named(op.schema(), arguments, "dim");
  const auto dim = given.isInt() ? std::optional(given.toInt()) : std::nullopt;
  if (of_run.sizes() != own.sizes()) {
    const auto [fewer, more] = std::minmax(of_run.numel(), own.numel());
    return {own, {more, more - fewer}};
  }
  const std::int64_t count = decisions_in(name, of_run, dim);
  if (at::equal(of_run, own)) return {{}, {count, 0}};
  const auto received = reference::argument_named(op.schema(), arguments, "self");
  const bool are_of_values = selects(name) && self.defined() && self.dim() > 0 && received.isTensor() &&
                             received.toTensor().sizes() == self.sizes();
  if (!are_of_values) return {own, {count, number_of_false(of_run == own)}};
  ComparedChoice choice =
      of_selection(name, dim.value_or(-1), of_run, own, values_at(self, of_run, dim), values_at(self, own, dim));
  if (at::equal(choice.own, of_run)) choice.own = at::Tensor();
  return choice;
}

}  // namespace ampprof::variant

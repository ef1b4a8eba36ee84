// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/skipped.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "precision/replay/reference/arguments.h"
#include "reports/records/compiled_region.h"

namespace ampprof::reference {

namespace {

/// Names and namespaces of ops that may run again. Never destroyed, since ops may run while the process exits.
std::vector<std::string>& allowed() {
  static auto& names = *new std::vector<std::string>{"aten::", "prims::", "torchvision::"};
  return names;
}

bool may_be_replayed(std::string_view name) {
  return std::ranges::any_of(allowed(), [&](const std::string& known) {
    return known.ends_with("::") ? name.starts_with(known) : name == known;
  });
}

}  // namespace

void allow_replays_of(std::vector<std::string> names) { std::ranges::move(names, std::back_inserter(allowed())); }

Skip skip_of(std::string_view name) {
  static const std::unordered_map<std::string_view, Skip> kSkipped{
      {"aten::empty", Skip::NoValues},
      {"aten::empty_like", Skip::NoValues},
      {"aten::empty_permuted", Skip::NoValues},
      {"aten::empty_strided", Skip::NoValues},
      {"aten::new_empty", Skip::NoValues},
      {"aten::new_empty_strided", Skip::NoValues},
      {"aten::requires_grad_", Skip::NoValues},
      {"aten::detach_", Skip::NoValues},
      {"aten::resize_", Skip::Rebinds},
      {"aten::resize_as_", Skip::Rebinds},
      {"aten::set_", Skip::Rebinds},
      {"aten::set_data", Skip::Rebinds},
      {"aten::_cudnn_rnn", Skip::Workspace},
      {"aten::_cudnn_rnn_backward", Skip::Workspace},
      {"aten::cudnn_batch_norm_backward", Skip::Workspace},
      {"aten::mkldnn_rnn_layer_backward", Skip::Workspace},
      {"aten::_cudnn_attention_backward", Skip::NoKernel},
      {"aten::_cudnn_attention_forward", Skip::NoKernel},
      {"aten::_flash_attention_backward", Skip::NoKernel},
      {"aten::_flash_attention_forward", Skip::NoKernel},
      {"aten::_scaled_mm", Skip::NoKernel},
      {kCompiledRegion, Skip::Compiled},
  };
  const auto found = kSkipped.find(name);
  if (found != kSkipped.end()) return found->second;
  return may_be_replayed(name) ? Skip::No : Skip::Extension;
}

std::string_view reason_of(Skip skip) {
  switch (skip) {
    case Skip::Rebinds:
      return "it replaces a tensor's memory instead of computing values";
    case Skip::Workspace:
      return "it reads a buffer that the forward op laid out for its own type";
    case Skip::NoKernel:
      return "its kernel exists for reduced precision only";
    case Skip::Compiled:
      return "the ops inside it are not visible; --eager runs the program without torch.compile";
    case Skip::Extension:
      return "an op from outside LibTorch may have side effects; --rerun allows its replay";
    case Skip::No:
    case Skip::NoValues:
      break;
  }
  return "";
}

bool has_dropout_between_layers(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments) {
  if (!schema.argumentIndexWithName("num_layers")) return false;
  const c10::IValue share = argument_named(schema, arguments, "dropout");
  const c10::IValue trains = argument_named(schema, arguments, "train");
  return share.isDouble() && share.toDouble() > 0 && trains.isBool() && trains.toBool();
}

std::optional<double> dropout_share(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments) {
  const c10::IValue share = argument_named(schema, arguments, "dropout_p");
  return share.isDouble() ? std::optional(share.toDouble()) : std::nullopt;
}

bool only_draws(std::string_view name) {
  static const std::unordered_set<std::string_view> kDraws{
      "aten::bernoulli",  "aten::bernoulli_",  "aten::cauchy_",     "aten::exponential_",
      "aten::geometric_", "aten::log_normal_", "aten::multinomial", "aten::normal_",
      "aten::poisson",    "aten::random_",     "aten::uniform_",
  };
  return name.ends_with("_like") || kDraws.contains(name);
}

bool computes_beyond_its_draw(std::string_view name) {
  static const std::unordered_set<std::string_view> kCompound{
      "aten::gru",
      "aten::lstm",
      "aten::rnn_relu",
      "aten::rnn_tanh",
      "aten::scaled_dot_product_attention",
      "aten::_scaled_dot_product_attention_math",
      "aten::_scaled_dot_product_efficient_attention",
      "aten::_scaled_dot_product_efficient_attention_backward",
      "aten::_scaled_dot_product_flash_attention_for_cpu",
  };
  return kCompound.contains(name);
}

}  // namespace ampprof::reference

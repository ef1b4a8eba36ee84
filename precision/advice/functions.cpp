// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/functions.h"

#include <algorithm>
#include <array>

#include "amp_core/policy/cast_rule.h"
#include "reports/queries/ops.h"
#include "reports/text/words.h"

namespace ampprof::advice {
namespace {

struct Family {
  std::string_view backward;  ///< an op that autograd calls
  std::string_view forward;   ///< functions whose backward calls it, the likeliest first
};

// Autograd ops whose names do not begin with the name of the function. mm and bmm are gradients of matmul functions.
constexpr std::array kFamilies{
    Family{"convolution_backward",
           "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution"},
    Family{"mm", "linear addmm matmul mm einsum"},
    Family{"bmm", "bmm baddbmm matmul einsum"},
    Family{"threshold_backward", "relu threshold"},
    Family{"max_pool2d_with_indices_backward", "max_pool2d adaptive_max_pool2d"},
    Family{"native_batch_norm_backward", "batch_norm"},
    Family{"cudnn_batch_norm_backward", "batch_norm"},
    Family{"native_layer_norm_backward", "layer_norm"},
    Family{"native_group_norm_backward", "group_norm"},
    Family{"_softmax_backward_data", "softmax"},
    Family{"_log_softmax_backward_data", "log_softmax cross_entropy_loss"},
    Family{"nll_loss_backward", "nll_loss cross_entropy_loss nll_loss_nd"},
    Family{"nll_loss2d_backward", "nll_loss2d cross_entropy_loss nll_loss_nd"},
    Family{"embedding_dense_backward", "embedding"},
    Family{"native_dropout_backward", "dropout"},
    Family{"_cudnn_rnn_backward", "lstm gru rnn_tanh rnn_relu"},
    Family{"mkldnn_rnn_layer_backward", "lstm"},
    Family{"_thnn_fused_lstm_cell_backward", "lstm lstm_cell"},
    Family{"_thnn_fused_lstm_cell_backward_impl", "lstm lstm_cell"},
    Family{"expand", "sum mean"},
};

/// Returns "sigmoid" for "sigmoid_backward", "avg_pool2d" for "avg_pool2d_backward.grad_input", "" for other names.
std::string_view stem_of(std::string_view name) {
  const auto end = name.find("_backward");
  if (end == std::string_view::npos) return {};
  name = name.substr(0, end);
  for (const std::string_view prefix : {"native_", "_"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  return name;
}

std::vector<std::string_view> candidates_for(std::string_view name) {
  const auto* family = std::ranges::find(kFamilies, name, &Family::backward);
  if (family != kFamilies.end()) return text::words_of(family->forward);
  const auto stem = stem_of(name);
  // A plain op such as mul or div is usually part of the backward of the function of the same name.
  return {stem.empty() ? name : stem};
}

}  // namespace

std::string function_of(std::string_view op) {
  std::string base = amp::op_name_from(op).base;
  if (amp::is_in_place(base)) base.pop_back();
  return base;
}

bool is_in_place(std::string_view op) { return amp::is_in_place(amp::op_name_from(op).base); }

ForwardFunctions::ForwardFunctions(const std::vector<queries::OpRow>& ops) {
  for (const queries::OpRow& op : ops) {
    if (op.phase == Phase::Forward) called_[op.module].insert(function_of(op.op));
  }
}

std::optional<std::string> ForwardFunctions::behind(std::string_view module, std::string_view backward_op) const {
  const auto called = called_.find(module);
  if (called == called_.end()) return std::nullopt;
  const std::string name = function_of(backward_op);
  std::vector<std::string> found;
  for (const auto candidate : candidates_for(name)) {
    if (called->second.contains(std::string(candidate))) found.emplace_back(candidate);
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

}  // namespace ampprof::advice

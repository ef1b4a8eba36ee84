// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof::recording {

/// A change that `ampprof run --remedy` makes to a program. profiler/python/ampprof_remedies.py implements it.
struct RemedyWord {
  enum class Value { None, Number, Module };
  std::string_view name;
  Value value;             ///< type of the value after "=": "eps=1e-4", "fp32_module=decoder.norm"
  std::string_view about;  ///< description for the help; begins with a verb
};

// To add a remedy: a row, and a function in ampprof_remedies.py.
inline constexpr RemedyWord kRemedyWords[] = {
    {"init_scale", RemedyWord::Value::Number, "starts the loss scale of GradScaler or amp_core at N"},
    {"no_scale_growth", RemedyWord::Value::None, "keeps GradScaler from raising the loss scale"},
    {"loss_scale", RemedyWord::Value::Number, "multiplies losses by N and divides gradients by N"},
    {"eps", RemedyWord::Value::Number, "raises the eps of optimizers to N"},
    {"master_weights", RemedyWord::Value::None, "lets optimizers update FP32 copies of 16-bit weights"},
    {"fp32_module", RemedyWord::Value::Module, "computes the module of this name in FP32"},
    {"no_cast_cache", RemedyWord::Value::None, "switches off the cache of torch.autocast"},
    {"unscale_before_clip", RemedyWord::Value::None, "unscales gradients before torch.nn.utils clips them"},
};

/// A remedy that amp_core can apply, too.
inline constexpr std::string_view kInitScale = kRemedyWords[0].name;

}  // namespace ampprof::recording

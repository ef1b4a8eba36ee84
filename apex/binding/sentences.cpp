// SPDX-License-Identifier: Apache-2.0
#include "apex/binding/sentences.h"

#include <dlfcn.h>

#include <array>
#include <iostream>

namespace apex {
namespace {

/// Looks up a function of CPython's stable ABI in the process, so that one library serves every version of Python.
template <class Function>
Function* python_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string in_python_names(std::string sentence) {
  constexpr std::array<std::pair<const char*, const char*>, 13> kNames{{
      {"call it through amp::forward(model, ...), which casts its inputs, instead of model->forward(...)",
       "call the whole model, which casts its inputs. Its parts and its other methods cast nothing: cast what goes "
       "into them"},
      {"after scale_loss() has returned", "after the block of scale_loss()"},
      {"amp::step(optimizer)", "optimizer.step()"},
      {"amp::master_params got", "amp got"},
      {"function(\"sigmoid\")", "function(torch, \"sigmoid\")"},
      {"function(\"binary_cross_entropy\")", "function(torch.nn.functional, \"binary_cross_entropy\")"},
      {"cast_model_type = Unchanged", "cast_model_type=False"},
      {"enabled = false", "enabled=False"},
      {"delay_unscale = true", "delay_unscale=True"},
      {"torch::nn::functional::", "torch.nn.functional."},
      {"torch::nn::", "torch.nn."},
      {"amp::step", "optimizer.step"},
      {"amp::", "amp."},
  }};
  for (const auto& [from, to] : kNames) replace_all(sentence, from, to);
  return sentence;
}

void print_to_python(const std::string& line) {
  static const auto ensure = python_function<int()>("PyGILState_Ensure");
  static const auto release = python_function<void(int)>("PyGILState_Release");
  static const auto write = python_function<void(const char*, ...)>("PySys_FormatStdout");
  if (ensure == nullptr || release == nullptr || write == nullptr) {
    std::cout << line << std::endl;
    return;
  }
  const int state = ensure();
  write("%s\n", line.c_str());
  release(state);
}

}  // namespace apex

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

/// Stores the final state of a program, so that two runs can be compared bit by bit. Writes tensors and the state of
/// LibTorch's random generators to the file named by PROGRAM_STATE. Does nothing if PROGRAM_STATE is not set.
namespace program_state {

using Named = std::vector<std::pair<std::string, torch::Tensor>>;

inline Named of(const torch::nn::Module& module, const std::string& name = "net") {
  Named all;
  for (const auto& item : module.named_parameters()) all.emplace_back(name + "." + item.key(), item.value());
  for (const auto& item : module.named_buffers()) all.emplace_back(name + "." + item.key(), item.value());
  return all;
}

inline void save(Named all) {
  const char* path = std::getenv("PROGRAM_STATE");
  if (path == nullptr) return;
  const torch::NoGradGuard no_grad;
  all.emplace_back("torch.random", at::detail::getDefaultCPUGenerator().get_state());
  std::ofstream file(path, std::ios::binary);
  for (const auto& [name, tensor] : all) {
    const torch::Tensor plain = tensor.detach().contiguous();
    file << name << " " << plain.dtype() << " " << plain.sizes() << "\n";
    file.write(static_cast<const char*>(plain.const_data_ptr()), static_cast<std::streamsize>(plain.nbytes()));
  }
}

}  // namespace program_state

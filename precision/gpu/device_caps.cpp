// SPDX-License-Identifier: Apache-2.0
#include "precision/gpu/device_caps.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <vector>

namespace ampprof::gpu {
namespace {

struct Model {
  std::string_view words;  ///< beginning of the name after vendor and product line (NVIDIA GeForce)
  int capability;
  int multiprocessors;
  bool tensor_cores = true;
};

// Longer names come before their prefixes: "H100 PCIe" before "H100".
constexpr std::array kModels{
    Model{"P100", 60, 56, false},
    Model{"GTX 1080 Ti", 61, 28, false},
    Model{"GTX 1080", 61, 20, false},
    Model{"GTX 1660 Ti", 75, 24, false},
    Model{"GTX 1660", 75, 22, false},
    Model{"GTX 1650", 75, 14, false},
    Model{"V100", 70, 80},
    Model{"V100S", 70, 80},
    Model{"TITAN V", 70, 80},
    Model{"T4", 75, 40},
    Model{"TITAN RTX", 75, 72},
    Model{"RTX 2080 Ti", 75, 68},
    Model{"RTX 2080", 75, 46},
    Model{"RTX 2070", 75, 36},
    Model{"RTX 8000", 75, 72},
    Model{"RTX 6000 Ada", 89, 142},
    Model{"RTX 6000", 75, 72},
    Model{"A100", 80, 108},
    Model{"A30", 80, 56},
    Model{"A10", 86, 72},
    Model{"A10G", 86, 80},
    Model{"A16", 86, 10},
    Model{"A40", 86, 84},
    Model{"RTX A6000", 86, 84},
    Model{"RTX A5000", 86, 64},
    Model{"RTX A4000", 86, 48},
    Model{"RTX 3090 Ti", 86, 84},
    Model{"RTX 3090", 86, 82},
    Model{"RTX 3080 Ti", 86, 80},
    Model{"RTX 3080", 86, 68},
    Model{"RTX 3070", 86, 46},
    Model{"RTX 3060", 86, 28},
    Model{"L4", 89, 58},
    Model{"L40", 89, 142},
    Model{"L40S", 89, 142},
    Model{"RTX 4090", 89, 128},
    Model{"RTX 4080", 89, 76},
    Model{"RTX 4070", 89, 46},
    Model{"H100 PCIe", 90, 114},
    Model{"H100", 90, 132},
    Model{"H200", 90, 132},
    Model{"H800", 90, 132},
    Model{"GH200", 90, 132},
    Model{"B200", 100, 148},
    Model{"GB200", 100, 148},
    Model{"RTX 5090", 120, 170},
};

constexpr std::array kCapabilities{50, 52, 53, 60, 61,  62,  70,  72,  75,  80,
                                   86, 87, 89, 90, 100, 101, 103, 110, 120, 121};

/// Returns the words in capital letters; some may be empty.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char letter : text) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      words.back() += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    } else {
      words.emplace_back();
    }
  }
  std::erase_if(words, [](const std::string& word) {
    return word == "NVIDIA" || word == "TESLA" || word == "GEFORCE" || word == "QUADRO";
  });
  return words;
}

// Joins words, so that "RTX4090" and "RTX 4090" are equal. The model must end at the end of a word, or "A10" would
// match "A100".
bool begins_with(const std::vector<std::string>& words, std::string_view model) {
  std::string wanted;
  for (const auto& word : words_of(model)) wanted += word;
  std::string glued;
  for (const auto& word : words) {
    glued += word;
    if (glued == wanted) return true;
  }
  return false;
}

DeviceCaps caps_of(int capability, std::string name) {
  DeviceCaps caps;
  caps.name = std::move(name);
  caps.major = capability / 10;
  caps.minor = capability % 10;
  caps.alignment_bytes = capability == 80 ? 128 : 16;
  caps.tensor_cores = capability >= 70;
  return caps;
}

/// Returns the number in "sm_90", "sm_90a", "compute_90", "90" and "9.0"; 0 for anything else.
int capability_in(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    if (letter != '_' && letter != '.') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  std::string_view rest = plain;
  for (const std::string_view prefix : {"sm", "compute"}) {
    if (rest.starts_with(prefix)) rest.remove_prefix(prefix.size());
  }
  int capability = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), capability);
  const auto suffix = rest.substr(static_cast<std::size_t>(end - rest.data()));
  return suffix.empty() || suffix == "a" || suffix == "f" ? capability : 0;
}

}  // namespace

std::optional<DeviceCaps> device_caps(std::string_view name) {
  const int capability = capability_in(name);
  if (std::ranges::find(kCapabilities, capability) != kCapabilities.end()) {
    return caps_of(capability, "sm_" + std::to_string(capability));
  }
  const auto words = words_of(name);
  for (const auto& model : kModels) {
    if (!begins_with(words, model.words)) continue;
    DeviceCaps caps = caps_of(model.capability, std::string(model.words));
    const bool is_mobile = std::ranges::find(words, "LAPTOP") != words.end();
    caps.multiprocessors = is_mobile ? 0 : model.multiprocessors;
    caps.tensor_cores = model.tensor_cores;
    return caps;
  }
  return std::nullopt;
}

std::vector<DeviceCaps> known_models() {
  std::vector<DeviceCaps> models;
  for (const Model& model : kModels) models.push_back(*device_caps(model.words));
  std::ranges::stable_sort(models, {}, [](const DeviceCaps& caps) { return caps.major * 10 + caps.minor; });
  return models;
}

bool has_tensor_cores(const DeviceCaps& device, DType dtype) {
  if (!device.tensor_cores) return false;
  const int capability = device.major * 10 + device.minor;
  switch (dtype) {
    case DType::Half:
      return true;
    case DType::BFloat16:
      return capability >= 80;
    case DType::Float:
      return capability >= 80 && device.tf32_allowed;
    case DType::Double:
      return capability == 80 || capability == 90 || device.major == 10;
    case DType::Float8E4M3:
    case DType::Float8E5M2:
      return capability >= 89;
    default:
      return false;
  }
}

}  // namespace ampprof::gpu

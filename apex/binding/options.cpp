// SPDX-License-Identifier: Apache-2.0
#include "apex/binding/options.h"

#include <charconv>

namespace apex {
namespace {

template <class Value>
Value value_of(const std::string& name, const std::string& word);

template <>
std::string value_of(const std::string&, const std::string& word) {
  return word;
}

template <>
amp::Switch value_of(const std::string&, const std::string& word) {
  return amp::Switch(word);
}

template <>
bool value_of(const std::string&, const std::string& word) {
  return amp::Switch(word).on;
}

template <>
amp::LossScale value_of(const std::string&, const std::string& word) {
  return amp::LossScale(word);
}

template <>
double value_of(const std::string& name, const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size()) return value;
  throw amp::Error("amp::initialize got " + name + " = " + word + ". It must be a number.");
}

template <>
int value_of(const std::string& name, const std::string& word) {
  const double value = value_of<double>(name, word);
  if (value == static_cast<int>(value)) return static_cast<int>(value);
  throw amp::Error("amp::initialize got " + name + " = " + word + ". It must be a whole number.");
}

template <>
amp::ModelType value_of(const std::string& name, const std::string& word) {
  if (word == "False") return amp::ModelType::Unchanged;
  if (word == "torch.float32") return amp::ModelType::Float32;
  for (std::size_t i = 0; i < amp::kReducedTypes.size(); ++i) {
    if (amp::kReducedTypes[i].torch_name == word) return static_cast<amp::ReducedType>(i);
  }
  throw amp::Error("amp::initialize got " + name + " = " + word +
                   ". It must be torch.float16, torch.bfloat16, torch.float32 or False.");
}

template <>
amp::ReducedType value_of(const std::string& name, const std::string& word) {
  if (const auto reduced = value_of<amp::ModelType>(name, word).reduced()) return *reduced;
  throw amp::Error("amp::initialize got " + name + " = " + word + ". It must be torch.float16 or torch.bfloat16.");
}

class Reader {
 public:
  explicit Reader(const Words& words) : words_(words) {}

  template <class Value>
  void read(const char* name, Value& value) {
    const auto found = words_.find(name);
    if (found != words_.end()) value = value_of<Value>(name, found->value());
  }
  template <class Value>
  void read(const char* name, std::optional<Value>& value) {
    const auto found = words_.find(name);
    if (found != words_.end()) value.emplace(value_of<Value>(name, found->value()));
  }

 private:
  const Words& words_;
};

}  // namespace

amp::Options options_from(const Words& words) {
  amp::Options options;
  Reader reader(words);
  reader.read("opt_level", options.opt_level);
  reader.read("enabled", options.enabled);
  reader.read("cast_model_type", options.cast_model_type);
  reader.read("patch_torch_functions", options.patch_torch_functions);
  reader.read("patch_torch_functions_type", options.patch_torch_functions_type);
  reader.read("keep_batchnorm_fp32", options.keep_batchnorm_fp32);
  reader.read("master_weights", options.master_weights);
  reader.read("loss_scale", options.loss_scale);
  reader.read("cast_model_outputs", options.cast_model_outputs);
  reader.read("num_losses", options.num_losses);
  reader.read("verbosity", options.verbosity);
  reader.read("min_loss_scale", options.min_loss_scale);
  reader.read("max_loss_scale", options.max_loss_scale);
  return options;
}

}  // namespace apex

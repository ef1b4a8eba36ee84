// SPDX-License-Identifier: Apache-2.0
#include "amp_core/checkpoint/checkpoint.h"

#include <ATen/core/Dict.h>
#include <c10/util/Exception.h>
#include <torch/serialize/archive.h>

#include "amp_core/casts/casts.h"
#include "amp_core/engine/engine.h"

namespace amp {
namespace {

using NumberDict = c10::Dict<std::string, double>;

template <class Dict, class Map>
Dict dict_of(const Map& values) {
  Dict dict;
  for (const auto& [key, value] : values) dict.insert(key, value);
  return dict;
}

c10::IValue entry(torch::serialize::InputArchive& archive, const std::string& key) {
  c10::IValue value;
  if (archive.try_read(key, value)) return value;
  throw Error("The archive has no \"" + key + "\": it is not an amp checkpoint.");
}

StateDict read(torch::serialize::InputArchive& archive) {
  StateDict state;
  state.version = static_cast<int>(entry(archive, "amp_version").toInt());
  if (state.version != StateDict::kVersion) return state;  // load_state_dict() reports the error
  state.cast_policy = entry(archive, "cast_policy").toStringRef();
  for (const auto& setting : entry(archive, "settings").toGenericDict()) {
    state.settings[setting.key().toStringRef()] = setting.value().toStringRef();
  }
  for (const auto& loss : entry(archive, "losses").toGenericDict()) {
    Numbers numbers;
    for (const auto& number : loss.value().toGenericDict())
      numbers[number.key().toStringRef()] = number.value().toDouble();
    state.losses[static_cast<int>(loss.key().toInt())] = loss_from(numbers);
  }
  return state;
}

/// Removes recipes, which may differ on resume: the last steps may run in a wider format.
Policy without_recipes(Policy policy) {
  policy.recipe.clear();
  policy.formats.clear();
  return policy;
}

}  // namespace

StateDict state_dict() {
  Engine& here = engine("state_dict");
  settle(here);
  std::vector<LossScaler> scalers;
  for (const LossState& loss : here.losses) scalers.push_back(loss.scaler);
  StateDict state = make_state_dict(here.properties, scalers);
  if (here.properties.patch_torch_functions) state.cast_policy = to_text(without_recipes(casts_of_this_thread()));
  return state;
}

void load_state_dict(const StateDict& state) {
  Engine& here = engine("load_state_dict");
  check_fits(state, state_dict());
  std::vector<LossState> losses;
  for (const auto& [id, loss] : state.losses) losses.push_back({LossScaler(loss.options, loss.state)});
  here.losses = std::move(losses);
}

void import_apex_state(const std::map<std::string, Numbers>& apex) {
  load_state_dict(with_apex_state(state_dict(), apex));
}

void import_grad_scaler_state(const Numbers& grad_scaler, int loss_id) {
  load_state_dict(with_grad_scaler_state(state_dict(), grad_scaler, loss_id));
}

torch::serialize::OutputArchive& operator<<(torch::serialize::OutputArchive& archive, const StateDict& state) {
  c10::Dict<std::int64_t, NumberDict> losses;
  for (const auto& [id, loss] : state.losses) losses.insert(id, dict_of<NumberDict>(numbers_of(loss)));
  archive.write("amp_version", c10::IValue(static_cast<std::int64_t>(state.version)));
  archive.write("cast_policy", c10::IValue(state.cast_policy));
  archive.write("settings", c10::IValue(dict_of<c10::Dict<std::string, std::string>>(state.settings)));
  archive.write("losses", c10::IValue(losses));
  return archive;
}

torch::serialize::InputArchive& operator>>(torch::serialize::InputArchive& archive, StateDict& state) {
  try {
    state = read(archive);
  } catch (const c10::Error& error) {
    throw Error(std::string("The archive is not an amp checkpoint: ") + error.what_without_backtrace());
  }
  return archive;
}

}  // namespace amp

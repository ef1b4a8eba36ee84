// SPDX-License-Identifier: Apache-2.0
#include "amp_core/checkpoint/state_dict.h"

#include <cmath>
#include <limits>
#include <set>

#include "amp_core/levels/banner.h"

namespace amp {
namespace {

/// Reads numbers by name. Throws Error for a missing number. finish() throws Error for a number that nobody has read.
class NumberReader {
 public:
  NumberReader(const Numbers& numbers, std::string of) : left_(numbers), of_(std::move(of)) {}

  double real(const std::string& name) {
    const auto found = left_.find(name);
    if (found == left_.end()) throw Error(of_ + " has no \"" + name + "\". Check that the right checkpoint is loaded.");
    const double value = found->second;
    left_.erase(found);
    return value;
  }

  template <class Integer>
  Integer integer(const std::string& name) {
    const double value = real(name);
    // A double holds every integer only up to 2^53.
    const double limit = std::min<double>(0x1p53, static_cast<double>(std::numeric_limits<Integer>::max()));
    if (std::floor(value) == value && value >= 0 && value <= limit) return static_cast<Integer>(value);
    throw Error(of_ + " has " + name + " = " + scale_text(value) + ", which is not a valid count.");
  }

  bool has(const std::string& name) const { return left_.contains(name); }

  void finish() const {
    if (!left_.empty()) throw Error(of_ + " has an unknown entry \"" + left_.begin()->first + "\".");
  }

 private:
  Numbers left_;
  std::string of_;
};

void add(std::string& list, const std::string& item) { list += (list.empty() ? "" : "; ") + item; }

std::string setting(const StateDict& state, const std::string& name) {
  const auto found = state.settings.find(name);
  return found == state.settings.end() ? "not set" : found->second;
}

std::string ids_of(const StateDict& state) {
  std::string ids;
  for (const auto& [id, loss] : state.losses) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
  return ids.empty() ? "none" : ids;
}

std::string differences(const StateDict& saved, const StateDict& here) {
  std::string list;
  std::set<std::string> names;
  for (const StateDict* state : {&saved, &here}) {
    for (const auto& [name, value] : state->settings) names.insert(name);
  }
  for (const std::string& name : names) {
    const std::string there = setting(saved, name);
    if (there != setting(here, name))
      add(list, name + " is " + there + " in the checkpoint and " + setting(here, name) + " here");
  }
  if (ids_of(saved) != ids_of(here))
    add(list, "loss ids are " + ids_of(saved) + " in the checkpoint and " + ids_of(here) + " here");
  if (saved.cast_policy != here.cast_policy) {
    add(list,
        "the cast policy is \"" + saved.cast_policy + "\" in the checkpoint and \"" + here.cast_policy + "\" here");
  }
  return list;
}

StateDict::Loss& loss_of(StateDict& state, int loss_id) {
  const auto found = state.losses.find(loss_id);
  if (found != state.losses.end()) return found->second;
  throw Error("There is no loss_id " + std::to_string(loss_id) + " to import a scale for; the ids are " +
              ids_of(state) + ".");
}

void import_apex_scaler(StateDict::Loss& loss, const std::string& name, const Numbers& numbers) {
  NumberReader reader(numbers, "\"" + name + "\" of the Apex state dict");
  const double scale = reader.real("loss_scale");
  const auto clean = reader.integer<std::int64_t>("unskipped");
  reader.finish();
  if (!loss.options.dynamic && scale != loss.options.initial) {
    throw Error("\"" + name + "\" has scale " + scale_text(scale) +
                ", but the scale is static here: " + scale_text(loss.options.initial) +
                ". Initialize amp with the scale of the state dict, or with loss_scale = \"dynamic\".");
  }
  // With a static scale, Apex never resets the count.
  loss.state = {.scale = scale,
                .clean_passes = loss.options.dynamic ? clean : clean % loss.options.growth_interval,
                .hysteresis_left = loss.options.hysteresis};
}

}  // namespace

StateDict make_state_dict(const Properties& properties, const std::vector<LossScaler>& scalers) {
  StateDict state;
  for (const auto& [name, value] : settings_of(properties)) state.settings[name] = value;
  for (std::size_t i = 0; i < scalers.size(); ++i) {
    state.losses[static_cast<int>(i)] = {scalers[i].options(), scalers[i].state()};
  }
  return state;
}

void check_fits(const StateDict& saved, const StateDict& here) {
  if (saved.version < 1 || saved.version > StateDict::kVersion) {
    throw Error("The amp checkpoint has version " + std::to_string(saved.version) +
                "; this amp_core reads versions 1 to " + std::to_string(StateDict::kVersion) +
                ". Load it with the amp_core that wrote it, or a newer one.");
  }
  const std::string differing = differences(saved, here);
  if (differing.empty()) return;
  throw Error("The amp checkpoint does not match what amp::initialize() set up: " + differing +
              ". Initialize amp as in the run that saved the checkpoint, or do not load the amp state.");
}

StateDict with_apex_state(StateDict here, const std::map<std::string, Numbers>& apex) {
  const std::string prefix = "loss_scaler";
  std::set<int> imported;
  for (const auto& [name, numbers] : apex) {
    const std::string digits = name.starts_with(prefix) ? name.substr(prefix.size()) : "";
    const bool is_id =
        !digits.empty() && digits.size() < 9 && digits.find_first_not_of("0123456789") == std::string::npos;
    if (!is_id)
      throw Error("The Apex state dict has an unknown entry \"" + name +
                  "\"; its entries are named loss_scaler0, loss_scaler1, ...");
    const int loss_id = std::stoi(digits);
    import_apex_scaler(loss_of(here, loss_id), name, numbers);
    imported.insert(loss_id);
  }
  if (imported.size() != here.losses.size()) {
    throw Error("The Apex state dict has scales of " + std::to_string(imported.size()) + " losses, but num_losses is " +
                std::to_string(here.losses.size()) + " here. Initialize amp as in the run that saved the state dict.");
  }
  return here;
}

StateDict with_grad_scaler_state(StateDict here, const Numbers& grad_scaler, int loss_id) {
  if (grad_scaler.empty()) {
    throw Error(
        "The GradScaler's state dict is empty, so there is nothing to import. A disabled GradScaler saves an empty "
        "one.");
  }
  StateDict::Loss& loss = loss_of(here, loss_id);
  if (!loss.options.dynamic) {
    throw Error(
        "A GradScaler's scale is dynamic, but loss_scale is static here. Initialize with loss_scale = \"dynamic\".");
  }
  NumberReader reader(grad_scaler, "The GradScaler's state dict");
  loss.options.growth = reader.real("growth_factor");
  loss.options.backoff = reader.real("backoff_factor");
  loss.options.growth_interval = reader.integer<std::int64_t>("growth_interval");
  loss.state = {.scale = reader.real("scale"),
                .clean_passes = reader.integer<std::int64_t>("_growth_tracker"),
                .hysteresis_left = loss.options.hysteresis};
  reader.finish();
  return here;
}

Numbers numbers_of(const StateDict::Loss& loss) {
  const auto& [options, state] = loss;
  Numbers numbers{{"loss_scale", state.scale},
                  {"unskipped", static_cast<double>(state.clean_passes)},
                  {"hysteresis_left", state.hysteresis_left},
                  {"dynamic", options.dynamic ? 1.0 : 0.0},
                  {"init_scale", options.initial},
                  {"growth_factor", options.growth},
                  {"backoff_factor", options.backoff},
                  {"growth_interval", static_cast<double>(options.growth_interval)},
                  {"hysteresis", options.hysteresis},
                  {"max_loss_scale", options.maximum}};
  if (options.minimum) numbers["min_loss_scale"] = *options.minimum;
  return numbers;
}

StateDict::Loss loss_from(const Numbers& numbers) {
  NumberReader reader(numbers, "A loss of the amp checkpoint");
  StateDict::Loss loss;
  loss.state = {.scale = reader.real("loss_scale"),
                .clean_passes = reader.integer<std::int64_t>("unskipped"),
                .hysteresis_left = reader.integer<int>("hysteresis_left")};
  loss.options.dynamic = reader.integer<int>("dynamic") != 0;
  loss.options.initial = reader.real("init_scale");
  loss.options.growth = reader.real("growth_factor");
  loss.options.backoff = reader.real("backoff_factor");
  loss.options.growth_interval = reader.integer<std::int64_t>("growth_interval");
  loss.options.hysteresis = reader.integer<int>("hysteresis");
  loss.options.maximum = reader.real("max_loss_scale");
  if (reader.has("min_loss_scale")) loss.options.minimum = reader.real("min_loss_scale");
  reader.finish();
  static_cast<void>(LossScaler(loss.options, loss.state));  // throws Error if the numbers are invalid
  return loss;
}

}  // namespace amp

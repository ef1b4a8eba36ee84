// SPDX-License-Identifier: Apache-2.0
// Registers recipes at the engine's hook when this library is loaded.
#include "amp_core/casts/format_hook.h"
#include "precision/recipes/calls.h"
#include "precision/recipes/delayed_scales.h"
#include "precision/recipes/plan.h"
#include "precision/recipes/random_keys.h"
#include "precision/recipes/skipped_layers.h"

namespace amp::recipes {
namespace {

class PlanOfPolicy final : public FormatPlan {
 public:
  explicit PlanOfPolicy(const Policy& policy) : plan_(policy) {}

  std::optional<FormatRun> run_of(const FormatCall& call) const override { return recipes::run_of(plan_, call); }

 private:
  Plan plan_;
};

class Hook final : public FormatHook {
 public:
  std::shared_ptr<const FormatPlan> plan_of(const Policy& policy) override {
    return std::make_shared<const PlanOfPolicy>(policy);
  }
  void check(const std::string& recipe) override { check_format(recipe); }
  void restart() override {
    restart_random_keys();
    delayed_scales().forget();
  }
  void say_what_is_left(bool on) override { recipes::say_what_is_left(on); }
};

[[maybe_unused]] const bool is_registered = [] {
  static auto* const hook = new Hook();  // backward may run while the process ends
  register_format_hook(*hook);
  return true;
}();

}  // namespace
}  // namespace amp::recipes

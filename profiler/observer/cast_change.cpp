// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/cast_change.h"

#include <exception>
#include <utility>

#include "amp_core/casts/autocast_rules.h"
#include "amp_core/casts/cast_table.h"
#include "amp_core/casts/casts.h"
#include "amp_core/levels/error.h"
#include "profiler/recorder/missing_notes.h"

namespace ampprof::profiler {

std::string CastChange::ask(const std::string& path) {
  std::string text = amp::policy_file_text(path);
  amp::Policy alone;
  amp::read_policy(alone, text, path, amp::check_op_exists);
  if (alone.has_recipe()) {
    throw amp::Error(path + ": a recipe cannot be added while the program runs. Pass it to ampprof run --policy.");
  }
  const std::lock_guard lock(mutex_);
  path_ = path;
  text_ = std::move(text);
  number_.fetch_add(1, std::memory_order_release);
  return amp::any_thread_casts() ? "Adds the rules of " + path + " to those of O1"
                                 : "Adds the rules of " + path + " to the program's torch.autocast";
}

void CastChange::apply(std::uint64_t& seen, std::int64_t step, MissingNotes& missing) {
  if (seen == number_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex_);
  seen = number_.load(std::memory_order_relaxed);
  const std::string since = " from step " + std::to_string(step) + " on";
  try {
    amp::Policy casts = amp::casts_of_this_thread();
    amp::read_policy(casts, text_, path_);
    if (!amp::change_casts_on_this_thread(casts) && std::exchange(in_autocast_, seen) != seen) {
      amp::Policy rules = amp::rules_of_autocast().value_or(amp::Policy());
      amp::read_policy(rules, text_, path_);
      amp::add_rules_to_autocast(rules);
    }
    missing.note("a single policy for all steps", "ampprof ctl added the rules of " + path_ + since,
                 "choose steps before or after the change with --steps of ampprof show");
  } catch (const std::exception& error) {
    missing.note("the policy " + path_ + since, error.what(), "correct the file, and repeat the ampprof ctl command");
  }
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/grouping.h"

#include <algorithm>

#include "amp_core/policy/function_names.h"
#include "amp_core/policy/module_pattern.h"
#include "precision/advice/numbered_name.h"

namespace ampprof::advice {
namespace {

using Places = std::vector<std::size_t>;

bool is_in(const Places& places, std::size_t place) { return std::ranges::find(places, place) != places.end(); }

/// Returns "aten::linear" if the program also calls addmm or matmul, since a rule for "linear" would reach these too.
std::string policy_name(const std::vector<FunctionInModule>& candidates, const std::string& function) {
  const auto operators = amp::operators_of(function);
  const bool reaches_others = std::ranges::any_of(candidates, [&](const FunctionInModule& candidate) {
    return candidate.function != function && std::ranges::find(operators, candidate.function) != operators.end();
  });
  return reaches_others ? "aten::" + function : function;
}

Places reached(const std::vector<FunctionInModule>& candidates, const std::string& function,
               const std::string& pattern) {
  Places places;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].function == function && amp::matches_module(pattern, candidates[i].module)) places.push_back(i);
  }
  return places;
}

/// Turns the chosen candidates of one function into lines of a policy.
class Function {
 public:
  Function(const std::vector<FunctionInModule>& candidates, const Places& chosen, const std::string& name)
      : candidates_(candidates), name_(name), all_(reached(candidates, name, "")) {
    for (const std::size_t place : chosen) {
      if (candidates[place].function == name) chosen_.push_back(place);
    }
  }

  std::vector<FloatRule> rules(std::vector<std::string>& notes) const {
    if (is_whole()) return {rule("")};
    std::vector<FloatRule> rules;
    for (const std::size_t place : chosen_) {
      const bool is_covered =
          std::ranges::any_of(rules, [&](const FloatRule& rule) { return is_in(rule.covers, place); });
      if (is_covered) continue;
      if (candidates_[place].module.empty() || !can_reach(candidates_[place].module)) {
        notes.push_back(candidates_[place].name() + " should run in FP32, but no rule matches this call alone, and " +
                        name_ + " cannot run in FP32 elsewhere: " + obstacle() + ".");
        continue;
      }
      const FloatRule wide = rule(without_numbers(candidates_[place].module));
      const bool is_exact = std::ranges::all_of(wide.covers, [&](std::size_t at) { return is_in(chosen_, at); });
      rules.push_back(is_exact && wide.covers.size() > 1 ? wide : rule(candidates_[place].module));
    }
    return rules;
  }

 private:
  bool is_whole() const {
    if (!can_reach("")) return false;
    const bool is_outside =
        std::ranges::any_of(chosen_, [&](std::size_t place) { return candidates_[place].module.empty(); });
    return is_outside || 4 * chosen_.size() >= 3 * all_.size();
  }

  bool can_reach(const std::string& pattern) const {
    return std::ranges::all_of(reached(candidates_, name_, pattern),
                               [&](std::size_t at) { return candidates_[at].cannot.empty(); });
  }

  /// Returns the reason why a rule for all modules cannot name the function.
  std::string obstacle() const {
    return candidates_[*std::ranges::find_if(all_, [&](std::size_t at) { return !candidates_[at].cannot.empty(); })]
        .cannot;
  }

  FloatRule rule(const std::string& pattern) const {
    return {policy_name(candidates_, name_), pattern, reached(candidates_, name_, pattern)};
  }

  const std::vector<FunctionInModule>& candidates_;
  std::string name_;
  Places all_;
  Places chosen_ = {};
};

}  // namespace

std::vector<FloatRule> grouped(const std::vector<FunctionInModule>& candidates, const std::vector<std::size_t>& chosen,
                               std::vector<std::string>& notes) {
  std::vector<std::string> done;
  std::vector<FloatRule> rules;
  for (const std::size_t place : chosen) {
    const std::string& name = candidates[place].function;
    if (std::ranges::find(done, name) != done.end()) continue;
    done.push_back(name);
    const auto of_function = Function(candidates, chosen, name).rules(notes);
    rules.insert(rules.end(), of_function.begin(), of_function.end());
  }
  return rules;
}

}  // namespace ampprof::advice

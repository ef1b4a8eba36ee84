// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "precision/formats/recipes/recipe.h"
#include "precision/formats/recipes/recipe_error.h"
#include "precision/formats/recipes/sentence.h"

namespace ampprof::recipes {

// One function per recipe file.
Shipped bf16();
Shipped fp16();
Shipped fp8_blockwise();
Shipped fp8_current();
Shipped fp8_delayed();
Shipped mxfp8();
Shipped nvfp4();
Shipped tf32();

namespace {

constexpr std::size_t kNameWidth = 16;

const Shipped& shipped_named(std::string_view name) {
  for (const Shipped& shipped : all_recipes()) {
    if (shipped.recipe.name == name) return shipped;
  }
  throw RecipeError("Unknown recipe " + quoted(name) + "; use " +
                    names_of(all_recipes(), [](const Shipped& shipped) { return shipped.recipe.name; }) +
                    ", or a recipe file.");
}

void apply_switch(const Shipped& shipped, std::string_view name, Recipe& recipe) {
  const auto found = std::ranges::find(shipped.switches, name, &Switch::name);
  if (found != shipped.switches.end()) return found->apply(recipe);
  const std::string& of = shipped.recipe.name;
  const std::string sentence = "The recipe " + of + " has no switch " + quoted(name) + "; ";
  if (shipped.switches.empty()) throw RecipeError(sentence + "it has none.");
  throw RecipeError(sentence + "use " + names_of(shipped.switches, &Switch::name) + ", as in " + of + ',' +
                    std::string(shipped.switches[0].name) + '.');
}

}  // namespace

std::span<const Shipped> all_recipes() {
  static const std::array kRecipes{tf32(),        fp16(),          bf16(),  fp8_current(),
                                   fp8_delayed(), fp8_blockwise(), mxfp8(), nvfp4()};
  return kRecipes;
}

Recipe recipe_named(std::string_view text) {
  std::string_view rest = text;
  const auto next_part = [&rest] {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(part.size());
    return part;
  };
  const Shipped& shipped = shipped_named(next_part());
  Recipe recipe = shipped.recipe;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the comma
    apply_switch(shipped, next_part(), recipe);
  }
  recipe.name = text;
  return recipe;
}

std::string list_of_recipes() {
  const auto line = [](std::string name, std::string_view summary) {
    name.resize(std::max(kNameWidth, name.size() + 1), ' ');
    return name + std::string(summary) + '\n';
  };
  std::string list;
  for (const Shipped& shipped : all_recipes()) {
    list += line(shipped.recipe.name, shipped.recipe.summary);
    for (const Switch& one : shipped.switches) list += line("  ," + std::string(one.name), one.summary);
  }
  return list;
}

std::array<Operand, kSlots.size()> all_operands(Operand operand) {
  std::array<Operand, kSlots.size()> all;
  all.fill(operand);
  return all;
}

}  // namespace ampprof::recipes

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "precision/formats/recipes/operand.h"

namespace ampprof::recipes {

/// Required divisors of a linear layer's sizes in the kernels of the recipe.
struct Multiples {
  std::int64_t rows = 1;     ///< rows of the weight: output features
  std::int64_t columns = 1;  ///< columns of the weight: input features
  std::int64_t leading = 1;  ///< product of the input's leading dimensions: batch times sequence

  bool operator==(const Multiples&) const = default;
};

/// Rounding of the operands of a linear layer's matmuls. Outputs and all other tensors stay BF16 or FP32.
struct Recipe {
  std::string name;              ///< on the command line and in recipe files: never rename
  std::string summary;           ///< one line, for lists
  int least_sm = 0;              ///< 10 times the compute capability of the first GPU with such matmuls: 90 is Hopper
  bool has_convolutions = true;  ///< whether today's hardware supports convolutions with these operands too
  Multiples multiples = {};
  std::array<Operand, kSlots.size()> operands = {};  ///< one per Slot, in the order of Slot

  const Operand& operator[](Slot slot) const { return operands[static_cast<std::size_t>(slot)]; }
  Operand& operator[](Slot slot) { return operands[static_cast<std::size_t>(slot)]; }
  bool operator==(const Recipe&) const = default;
};

/// A part of a recipe that can be left out or changed.
struct Switch {
  std::string_view name;
  std::string_view summary;
  void (*apply)(Recipe&);
};

/// A recipe that is part of ampprof, with its switches.
///
/// To add one: write `<name>.cpp` here, name it in all_recipes.cpp and in README.md.
struct Shipped {
  Recipe recipe;
  std::vector<Switch> switches = {};
};

/// Returns all recipes, the widest types first.
std::span<const Shipped> all_recipes();

/// Returns the recipe with this name, with switches after commas: "nvfp4", or "nvfp4,no_hadamard,nearest". The whole
/// text becomes the name of the recipe. Throws RecipeError, with a sentence that lists the valid names, for other
/// texts.
Recipe recipe_named(std::string_view text);

/// Returns a line for each recipe and switch, for help texts.
std::string list_of_recipes();

/// Returns the same operand for all six slots.
std::array<Operand, kSlots.size()> all_operands(Operand operand);

}  // namespace ampprof::recipes

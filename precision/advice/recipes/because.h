// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/recipes/group_choices.h"
#include "precision/advice/recipes/recipe_advice.h"

namespace ampprof::advice {

/// Says why a matmul has its format, and no faster one. Refers to what it is made of.
class Reasons {
 public:
  Reasons(const std::vector<GroupChoices>& groups, const FormatSolution& found, const RecipeAdvice& advice)
      : groups_(groups), found_(found), advice_(advice) {}

  /// Returns sentences with numbers.
  std::string because(std::size_t group, std::size_t matmul, const MatmulAdvice& of) const;

 private:
  /// A choice with another format of one matmul; of all where a format can stand beside no other.
  struct Other {
    std::size_t format = 0;
    std::size_t place = 0;  ///< of the choice in its group
    double saved_us = 0.0;
  };

  std::vector<Other> faster_ones(std::size_t group, std::size_t matmul) const;
  std::string why_no_faster(std::size_t group, std::size_t matmul) const;
  std::string why_not(std::size_t group, std::size_t matmul, const Other& other) const;

  const std::vector<GroupChoices>& groups_;
  const FormatSolution& found_;
  const RecipeAdvice& advice_;
};

}  // namespace ampprof::advice

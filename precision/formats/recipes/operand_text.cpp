// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/operand_text.h"

#include <algorithm>
#include <charconv>

#include "precision/formats/recipes/recipe_error.h"
#include "precision/formats/recipes/sentence.h"

namespace ampprof::recipes {
namespace {

constexpr int kLongestHistory = 1 << 20;

/// Returns the index of a name in a table; throws with all names of the table if it is missing.
template <typename Range, typename NameOf>
std::size_t place_of(std::string_view word, std::string_view what, const Range& range, NameOf name_of) {
  const auto found = std::ranges::find(range, word, name_of);
  if (found != range.end()) return static_cast<std::size_t>(found - range.begin());
  throw RecipeError(quoted(word) + " is not a " + std::string(what) + "; use " + names_of(range, name_of) + '.');
}

std::string_view itself(std::string_view word) { return word; }

Element element_from(std::string_view word) {
  if (const auto element = element_named(word)) return *element;
  std::array<std::string_view, kElements> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = format_of(static_cast<Element>(i)).name;
  throw RecipeError(quoted(word) + " is not an element type; use " + names_of(names, itself) + '.');
}

BlockShape block_from(std::string_view word) {
  const auto by = word.find('x');
  if (by == word.npos)
    throw RecipeError(
        quoted(word) +
        " is not a block; write its sizes across and along the dimension that the matmul sums over, as in 1x32.");
  return {number_from(word.substr(0, by), kLongestBlock), number_from(word.substr(by + 1), kLongestBlock)};
}

void set_part(Operand& operand, std::string_view key, std::string_view value) {
  if (key == "scale") {
    operand.scale = static_cast<Scale>(place_of(value, "kind of scale", kScales, &ScaleInfo::name));
  } else if (key == "block") {
    operand.block = block_from(value);
  } else if (key == "history") {
    operand.history = number_from(value, kLongestHistory);
  } else if (key == "round") {
    operand.rounding = static_cast<Rounding>(place_of(value, "rounding", kRoundings, itself));
  } else if (key == "transform") {
    operand.transform = static_cast<Transform>(place_of(value, "transform", kTransforms, itself));
  } else {
    throw RecipeError(quoted(key) + " is not a part of an operand; use scale, block, history, round or transform.");
  }
}

void require(bool holds, const std::string& sentence) {
  if (!holds) throw RecipeError(sentence);
}

}  // namespace

int number_from(std::string_view text, int largest) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  require(is_whole && number >= 1 && number <= largest,
          quoted(text) + " is not a number from 1 to " + std::to_string(largest) + "; write one in digits.");
  return number;
}

Operand operand_from(std::span<const std::string_view> words) {
  require(!words.empty(), "the element type is missing; write one, as in \"fprop input bf16\".");
  Operand operand{.element = element_from(words[0])};
  for (auto rest = words.subspan(1); !rest.empty(); rest = rest.subspan(2)) {
    require(rest.size() > 1, quoted(rest[0]) + " has no value; write one after it.");
    for (std::size_t i = 2; i < rest.size(); i += 2) {
      require(rest[i] != rest[0], quoted(rest[0]) + " is given twice; remove one.");
    }
    set_part(operand, rest[0], rest[1]);
  }
  check_operand(operand);
  return operand;
}

void check_operand(const Operand& operand) {
  const std::string element(format_of(operand.element).name);
  const std::string scale(info_of(operand.scale).name);
  const bool is_plain = !needs_scale(operand.element);
  require(is_plain || operand.scale != Scale::None, element + " needs a scale; add one, as in \"scale tensor\".");
  require(!is_plain || operand.scale == Scale::None, element + " has no scale; leave out \"scale " + scale + "\".");
  require(!is_plain || operand.rounding == Rounding::NearestEven,
          element + " is rounded to nearest; leave out \"round stochastic\".");
  const bool has_block = operand.block != BlockShape{};
  require(has_block || !info_of(operand.scale).has_block,
          "the scale " + scale + " has blocks; give their shape, as in \"block 1x32\".");
  require(!has_block || info_of(operand.scale).has_block,
          "the scale " + scale + " has no blocks; leave out \"block\", or use another scale.");
  const bool is_delayed = operand.scale == Scale::TensorDelayed;
  require(!is_delayed || operand.history > 0,
          "a delayed scale needs a history; give its length in steps, as in \"history 1024\".");
  require(is_delayed || operand.history == 0, "the scale " + scale + " uses no history; leave out \"history\".");
}

std::string to_text(const Operand& operand) {
  std::string text(format_of(operand.element).name);
  if (operand.scale != Scale::None) text += " scale " + std::string(info_of(operand.scale).name);
  if (operand.block != BlockShape{}) {
    text += " block " + std::to_string(operand.block.across) + 'x' + std::to_string(operand.block.along);
  }
  if (operand.history != 0) text += " history " + std::to_string(operand.history);
  if (operand.rounding != Rounding::NearestEven) text += " round stochastic";
  if (operand.transform != Transform::None) text += " transform hadamard";
  return text;
}

}  // namespace ampprof::recipes

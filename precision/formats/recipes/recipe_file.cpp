// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/recipe_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "precision/formats/recipes/operand_text.h"
#include "precision/formats/recipes/recipe_error.h"
#include "precision/formats/recipes/sentence.h"
#include "reports/records/matmul.h"
#include "reports/text/words.h"

namespace ampprof::recipes {
namespace {

constexpr int kLargestSm = 9999;
constexpr int kLargestMultiple = 1 << 20;
constexpr std::array<std::string_view, 2> kConvolutions{"emulated", "hardware"};  ///< by Recipe::has_convolutions

using Words = std::span<const std::string_view>;

std::string joined(Words words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

std::string name_of(const SlotInfo& slot) { return std::string(slot.matmul) + ' ' + std::string(slot.tensor); }

/// Collects a recipe from its lines.
class Reader {
 public:
  /// Reads a line. Throws RecipeError (a sentence) if it is invalid.
  void read(Words words, int line) {
    if (matmul_from(words[0])) return read_operand(words, line);
    if (words.size() < 2) throw RecipeError(quoted(words[0]) + " has no value; write one after it.");
    if (std::ranges::find(seen_, words[0]) != seen_.end()) {
      throw RecipeError(quoted(words[0]) + " is given twice; remove one.");
    }
    read_fact(words);
    seen_.push_back(words[0]);
  }

  /// Returns the recipe. Throws RecipeError ("source:line: sentence") if it is incomplete.
  Recipe whole(const std::string& source, int last_line) const {
    const auto at = [&](int line) { return source + ':' + std::to_string(line) + ": "; };
    if (recipe_.name.empty())
      throw RecipeError(at(last_line) + "the recipe has no name; add a line \"name my_recipe\".");
    for (std::size_t i = 0; i < kSlots.size(); ++i) {
      if (lines_[i] != 0) continue;
      throw RecipeError(at(last_line) + "there is no line for " + name_of(kSlots[i]) + "; add a line, as in \"" +
                        name_of(kSlots[i]) + " bf16\".");
    }
    for (std::size_t i = 0; i < kSlots.size(); i += 2) {
      if (recipe_.operands[i].transform == recipe_.operands[i + 1].transform) continue;
      throw RecipeError(at(std::max(lines_[i], lines_[i + 1])) + "a transform cancels only if both operands of " +
                        std::string(kSlots[i].matmul) + " have it; give it to both or none.");
    }
    return recipe_;
  }

 private:
  void read_fact(Words words) {
    if (words[0] == "name") {
      if (words.size() != 2) throw RecipeError("a name must be one word, as in my_recipe.");
      recipe_.name = words[1];
    } else if (words[0] == "summary") {
      recipe_.summary = joined(words.subspan(1));
    } else if (words[0] == "least_sm" && words.size() == 2) {
      recipe_.least_sm = number_from(words[1], kLargestSm);
    } else if (words[0] == "convolutions" && words.size() == 2) {
      read_convolutions(words[1]);
    } else if (words[0] == "multiples") {
      read_multiples(words.subspan(1));
    } else {
      throw RecipeError(
          quoted(joined(words)) +
          " is not a line of a recipe; a line begins with name, summary, least_sm, convolutions, multiples, "
          "fprop, dgrad or wgrad.");
    }
  }

  void read_convolutions(std::string_view word) {
    if (word != kConvolutions[0] && word != kConvolutions[1]) {
      throw RecipeError("convolutions cannot be " + quoted(word) + "; use hardware or emulated.");
    }
    recipe_.has_convolutions = word == kConvolutions[1];
  }

  void read_multiples(Words words) {
    if (words.size() % 2 != 0) {
      throw RecipeError("a size or its multiple is missing; write \"multiples rows 32 columns 32 leading 32\".");
    }
    for (; !words.empty(); words = words.subspan(2)) {
      const int multiple = number_from(words[1], kLargestMultiple);
      if (words[0] == "rows") {
        recipe_.multiples.rows = multiple;
      } else if (words[0] == "columns") {
        recipe_.multiples.columns = multiple;
      } else if (words[0] == "leading") {
        recipe_.multiples.leading = multiple;
      } else {
        throw RecipeError(quoted(words[0]) + " is not a size; use rows, columns or leading.");
      }
    }
  }

  void read_operand(Words words, int line) {
    const auto found = std::ranges::find_if(kSlots, [&](const SlotInfo& slot) {
      return words.size() > 1 && slot.matmul == words[0] && slot.tensor == words[1];
    });
    if (found == kSlots.end()) {
      throw RecipeError(quoted(joined(words.first(std::min<std::size_t>(words.size(), 2)))) +
                        " is not an operand; fprop has input and weight, dgrad grad_output and weight, wgrad input and "
                        "grad_output.");
    }
    const auto place = static_cast<std::size_t>(found - kSlots.begin());
    if (lines_[place] != 0) {
      throw RecipeError(name_of(*found) + " is in line " + std::to_string(lines_[place]) +
                        " already; remove one of the two.");
    }
    recipe_.operands[place] = operand_from(words.subspan(2));
    lines_[place] = line;
  }

  Recipe recipe_;
  std::vector<std::string_view> seen_;
  std::array<int, kSlots.size()> lines_{};  ///< line of each operand; 0 if missing
};

}  // namespace

Recipe parse_recipe(std::string_view text, const std::string& source) {
  Reader reader;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const auto line = text.substr(0, text.find('\n'));
    const auto words = text::words_of(line);
    try {
      if (!words.empty()) reader.read(words, number);
    } catch (const RecipeError& error) {
      throw RecipeError(source + ':' + std::to_string(number) + ": " + error.what());
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return reader.whole(source, std::max(number, 1));
}

Recipe load_recipe(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.peek();  // opening a directory succeeds; only reading fails
  if (!file.is_open() || file.bad()) {
    throw RecipeError("The recipe file " + path + " cannot be read. Check that it exists, and its permissions.");
  }
  return parse_recipe(std::string(std::istreambuf_iterator<char>(file), {}), path);
}

Recipe recipe_from(const std::string& name_or_path) {
  std::ifstream file(name_or_path, std::ios::binary);
  file.peek();
  const bool is_file = name_or_path.find('/') != std::string::npos || file.good();
  return is_file ? load_recipe(name_or_path) : recipe_named(name_or_path);
}

std::string to_text(const Recipe& recipe) {
  std::string text = "name " + recipe.name + '\n';
  if (!recipe.summary.empty()) text += "summary " + recipe.summary + '\n';
  if (recipe.least_sm != 0) text += "least_sm " + std::to_string(recipe.least_sm) + '\n';
  if (!recipe.has_convolutions) text += "convolutions emulated\n";
  if (const Multiples& all = recipe.multiples; all != Multiples{}) {
    text += "multiples rows " + std::to_string(all.rows) + " columns " + std::to_string(all.columns) + " leading " +
            std::to_string(all.leading) + '\n';
  }
  for (std::size_t i = 0; i < kSlots.size(); ++i) {
    text += name_of(kSlots[i]) + ' ' + to_text(recipe.operands[i]) + '\n';
  }
  return text;
}

}  // namespace ampprof::recipes

// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/recipes/layer.h"

#include <array>
#include <string_view>

namespace ampprof::recipes {
namespace {

struct Size {
  std::string_view name;
  std::int64_t is;
  std::int64_t multiple;
};

std::string why_not(const Size& size) {
  const std::int64_t next = (size.is / size.multiple + 1) * size.multiple;
  return "Stays BF16: " + std::string(size.name) + ", " + std::to_string(size.is) + ", is not a multiple of " +
         std::to_string(size.multiple) + "; " + std::to_string(next) + " is.";
}

std::string why(const std::array<Size, 3>& sizes) {
  const bool takes_all = sizes[0].multiple == 1 && sizes[1].multiple == 1 && sizes[2].multiple == 1;
  if (takes_all) return "Quantized: the recipe takes layers of any size";
  std::string text = "Quantized:";
  for (const Size& size : sizes) {
    text += &size == sizes.data() ? " " : ", ";
    text +=
        std::string(size.name) + ", " + std::to_string(size.is) + ", is a multiple of " + std::to_string(size.multiple);
  }
  return text;
}

}  // namespace

Decision decide(const Recipe& recipe, const LayerSizes& sizes) {
  const Multiples& multiples = recipe.multiples;
  const std::array<Size, 3> all{{{"the weight's number of rows", sizes.rows, multiples.rows},
                                 {"the weight's number of columns", sizes.columns, multiples.columns},
                                 {"the product of the input's leading dimensions", sizes.leading, multiples.leading}}};
  const bool has_hardware = recipe.has_convolutions || !sizes.is_convolution;
  for (const Size& size : all) {
    if (size.is % size.multiple != 0) return {false, has_hardware, why_not(size)};
  }
  return {true, has_hardware, why(all) + (has_hardware ? "." : "; no current hardware supports such convolutions.")};
}

}  // namespace ampprof::recipes

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/forced_type.h"

#include <cstdlib>

namespace amp {

std::optional<ReducedType> forced_type() {
  const char* text = std::getenv("AMP_TYPE");
  if (text == nullptr || *text == '\0') return std::nullopt;
  if (const auto type = reduced_type_named(text)) return type;
  std::string names;
  for (const std::string& name : reduced_type_names()) names += (names.empty() ? "" : ", ") + name;
  throw Error("AMP_TYPE is \"" + std::string(text) + "\". It must be one of " + names + ".");
}

std::string forced_recipe() {
  const char* text = std::getenv("AMP_RECIPE");
  return text == nullptr ? "" : text;
}

std::optional<double> forced_init_scale() {
  const char* text = std::getenv("AMP_INIT_SCALE");
  if (text == nullptr || *text == '\0') return std::nullopt;
  char* end = nullptr;
  const double scale = std::strtod(text, &end);
  if (*end == '\0') return scale;
  throw Error("AMP_INIT_SCALE is \"" + std::string(text) + "\". It must be a number, such as 65536.");
}

Options with_reduced_type(Options options, std::string_view level, ReducedType type) {
  const Level& defaults = level_of(opt_level_from(level));
  if (defaults.patches_functions) options.patch_torch_functions_type = type;
  if (defaults.has_half_model()) options.cast_model_type = type;
  return options;
}

}  // namespace amp

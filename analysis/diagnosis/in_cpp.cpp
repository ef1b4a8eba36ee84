// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/in_cpp.h"

#include <algorithm>
#include <array>
#include <regex>

namespace ampprof::analysis {
namespace {

/// A regular expression for Python that rules emit, and its C++ replacement; $1 is the first group.
struct Translation {
  const char* python;
  const char* cpp;
};

constexpr Translation kTranslations[] = {
    {R"(GradScaler\((\w+)=([\d.e+-]+)\))", "amp::Options options{.$1 = $2};  // for amp::initialize()"},
    {R"(GradScaler\(\))", "amp::Options options{.loss_scale = \"dynamic\"};  // for amp::initialize()"},
    {R"(eps=([\d.e+-]+))", ".eps($1)  // in the optimizer's options"},
    {R"(total \+= x\.float\(\))", "total += x.to(torch::kFloat);"},
    {R"re(model\.get_submodule\("([^"]+)"\)\.float\(\))re", "model->named_modules()[\"$1\"]->to(torch::kFloat);"},
    {R"(torch\.clear_autocast_cache\(\))", "at::autocast::clear_cache();"},
};

}  // namespace

bool is_cpp_source(std::string_view source) {
  constexpr auto kEndings = std::to_array<std::string_view>({".cpp", ".cc", ".cxx", ".cu", ".h", ".hpp", ".cuh"});
  const std::string_view file = source.substr(0, source.rfind(':'));
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return file.ends_with(ending); });
}

std::string in_cpp(std::string_view python) {
  const std::string text(python);
  for (const Translation& translation : kTranslations) {
    const std::regex pattern(translation.python);
    if (std::regex_match(text, pattern)) return std::regex_replace(text, pattern, translation.cpp);
  }
  const bool is_policy = text.find_first_of("(.=") == std::string::npos || text.find(" fp32") != std::string::npos;
  return is_policy ? text : "";
}

}  // namespace ampprof::analysis

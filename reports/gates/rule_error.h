// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace ampprof::gates {

/// A rule that cannot be read. The text is a sentence.
struct RuleError : std::runtime_error {
  RuleError(std::size_t where, const std::string& sentence, std::string name = "", std::vector<std::string> names = {})
      : std::runtime_error(sentence), offset(where), typed(std::move(name)), known(std::move(names)) {}

  std::size_t offset;              ///< byte of the rule's text, its size included
  std::string typed;               ///< the name that is not known, where that is what is wrong
  std::vector<std::string> known;  ///< what it could be
};

}  // namespace ampprof::gates

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace ampprof::gates {

/// An error in a rule. The text is a sentence.
struct RuleError : std::runtime_error {
  RuleError(std::size_t where, const std::string& sentence, std::string name = "", std::vector<std::string> names = {})
      : std::runtime_error(sentence), offset(where), typed(std::move(name)), known(std::move(names)) {}

  std::size_t offset;              ///< byte offset in the rule's text; at the end of the rule, the text's size
  std::string typed;               ///< the unknown name, if that is the error
  std::vector<std::string> known;  ///< valid names, if `typed` is set
};

}  // namespace ampprof::gates

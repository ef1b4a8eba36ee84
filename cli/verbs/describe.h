// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "cli/manual/description.h"
#include "cli/verbs/verb.h"

namespace ampprof::cli {

/// The only argument that makes parse() describe instead of parse. It contains a NUL, so no user can pass it.
inline const std::string kDescribe("\0describe", 9);

/// Thrown by parse() for kDescribe: a verb's options exist only within the function that parses them, so an exception
/// carries the description out of it.
struct Described : std::exception {
  explicit Described(VerbDescription described) : description(std::move(described)) {}

  VerbDescription description;
};

/// The first argument that makes parse() throw Parsed after it has parsed the other arguments, before the verb acts on
/// them. Like kDescribe, it contains a NUL.
inline const std::string kParseOnly("\0parse", 6);

struct Parsed : std::exception {};

/// Returns the description of every verb that `ampprof --help` lists, in its order.
std::vector<VerbDescription> describe_verbs(const Installation& installation);

}  // namespace ampprof::cli

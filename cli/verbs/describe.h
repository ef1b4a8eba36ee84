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

/// parse() throws this then, because a verb's description lives in the function that parses, with the variables that it
/// fills.
struct Described : std::exception {
  explicit Described(VerbDescription described) : description(std::move(described)) {}

  VerbDescription description;
};

/// A first argument that makes parse() throw Parsed after reading the arguments, so that nothing is done with them. No
/// user can pass this word either.
inline const std::string kParseOnly("\0parse", 6);

struct Parsed : std::exception {};

/// Returns the description of every verb that `ampprof --help` lists, in its order.
std::vector<VerbDescription> describe_verbs(const Installation& installation);

}  // namespace ampprof::cli

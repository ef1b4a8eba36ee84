// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace ampprof::reference {

/// Returns a phrase that says why an op of the program could not be run again. Errors with the same cause give the same
/// phrase, without sizes or types, so that they are counted together. For an unknown error the phrase is the first line
/// of its message.
std::string reason_of(const std::exception& error);

}  // namespace ampprof::reference

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace ampprof::reference {

/// Says in a phrase why an op that ran in the program could not be run again. Errors of one cause give one phrase,
/// without sizes or types, so that they are counted together. An unknown error is quoted by its first line.
std::string reason_of(const std::exception& error);

}  // namespace ampprof::reference

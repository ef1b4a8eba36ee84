// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/advice/advise.h"

namespace ampprof::advice {

/// The advice as text that a program or a user takes over, each line with its reason as a comment before it.

/// A policy file, for AMP_POLICY and amp::load_policy.
std::string policy_file(const Advice& advice);

/// Calls of amp::register_float_function, to stand before amp::initialize.
std::string cpp_code(const Advice& advice);

/// Returns the registrations for Apex in Python, which knows no modules: a registration there holds everywhere, and
/// says so.
std::string apex_code(const Advice& advice);

/// Functions and modules wrapped so that torch.autocast leaves them alone. Overloads are one function to Python.
std::string torch_code(const Advice& advice);

}  // namespace ampprof::advice

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

/// Functions and modules wrapped so that torch.autocast leaves them alone, as Python to stand behind the model's
/// construction. Overloads are one function to Python; its methods and operator signs are wrapped with it.
std::string torch_code(const Advice& advice);

/// Functions in C++ that run outside LibTorch's autocast, to be called in place of those that they are named after, at
/// the lines that are named: there nothing can be wrapped from outside.
std::string libtorch_code(const Advice& advice);

}  // namespace ampprof::advice

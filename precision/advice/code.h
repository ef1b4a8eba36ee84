// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/advice/advise.h"

namespace ampprof::advice {

/// Writes the advice as text for a program or a user. A comment before each line gives its reason.

/// Returns a policy file for AMP_POLICY and amp::load_policy.
std::string policy_file(const Advice& advice);

/// Returns calls of amp::register_float_function, to be placed before amp::initialize.
std::string cpp_code(const Advice& advice);

/// Returns the registrations for Apex in Python. Apex has no modules: a registration holds everywhere, and the text
/// says so.
std::string apex_code(const Advice& advice);

/// Returns Python code that wraps functions and modules so that torch.autocast leaves them alone. It goes after the
/// model's construction. Python sees all overloads as one function; methods and operator signs are wrapped with it.
std::string torch_code(const Advice& advice);

/// Returns C++ functions that run outside LibTorch's autocast. The program calls them instead of the functions of the
/// same name at the listed source lines, because C++ functions cannot be wrapped from outside.
std::string libtorch_code(const Advice& advice);

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/advice/advise.h"

namespace ampprof::advice {

/// Writes the advice as code or as a policy file. A comment before each line gives its reason.

/// Returns a policy file for AMP_POLICY and amp::load_policy.
std::string policy_file(const Advice& advice);

/// Returns calls of amp::register_float_function, to be placed before amp::initialize.
std::string cpp_code(const Advice& advice);

/// Returns the registrations for Apex in Python. Apex cannot limit a registration to a module; a comment in the code
/// says so.
std::string apex_code(const Advice& advice);

/// Returns Python code that wraps functions and modules so that torch.autocast does not cast their inputs. The code
/// goes after the construction of the model. Python has one function for all overloads; tensor methods and operators
/// (`+`) are wrapped too.
std::string torch_code(const Advice& advice);

/// Returns C++ functions that run with LibTorch's autocast disabled. The program must call them at the listed source
/// lines instead of the functions of the same name, because C++ functions cannot be wrapped from outside.
std::string libtorch_code(const Advice& advice);

}  // namespace ampprof::advice

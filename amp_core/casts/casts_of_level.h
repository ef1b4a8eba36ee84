// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Properties;

/// Throws Error where set_up_casts() would: for a policy of the environment that is wrong. Changes nothing.
void check_casts(const Properties& properties);

/// Sets casts on the calling thread up as an opt level wants them: at O1 in force, with what the thread registered;
/// where the model is half, types are checked. Registering functions is closed from here on. Called by initialize().
void set_up_casts(const Properties& properties);

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Properties;

/// Throws Error if set_up_casts() would reject the policy in the environment. Changes nothing.
void check_casts(const Properties& properties);

/// Sets up casts on the calling thread for an opt level. At O1, and at O0 with a recipe, enables casts with the
/// thread's registrations; for a half model, enables type checks. Ends the registration of functions. Called by
/// initialize().
void set_up_casts(const Properties& properties);

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Properties;

/// What an opt level wants of casts on the calling thread: in force at O1, types checked where the model is half.
/// Registering functions is closed from here on. Called by initialize().
void set_up_casts(const Properties& properties);

/// Throws the Error that set_up_casts() would throw, about a policy that cannot be; nothing has changed then.
void check_casts(const Properties& properties);

}  // namespace amp

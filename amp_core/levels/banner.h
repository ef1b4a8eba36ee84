// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "amp_core/levels/properties.h"

namespace amp {

/// Returns the text that initialize() prints: the level, its defaults, the options in force. The labels are Apex's,
/// since users search for them.
std::string banner(const Properties& in_force);

/// Returns the settings that a resumed run must share, with their text.
std::vector<std::pair<std::string, std::string>> settings_of(const Properties& properties);

/// Returns the line that step() prints when it skips an update.
std::string skip_message(int loss_id, double reduced_scale);

/// Returns the line for ranks whose copies of a model have different scales for one loss.
std::string differing_scales_message(int loss_id, double least, double largest);

/// Returns a scale in Apex's notation: "32768.0".
std::string scale_text(double scale);

}  // namespace amp

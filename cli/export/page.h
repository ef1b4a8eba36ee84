// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "views/all_views.h"

namespace ampprof::cli {

/// One page of HTML that needs nothing else: no network, no file beside it; its small script only sorts and filters
/// tables, and without it everything is there. What the report does not hold comes first.
void write_page(views::ViewSource& source, const std::string& report, std::ostream& out);

}  // namespace ampprof::cli

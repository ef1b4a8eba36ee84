// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "views/all_views.h"

namespace ampprof::cli {

/// All views in one JSON object: `report` (its name), `answer` (sentences), then each view's records under its name,
/// with _ in place of -.
void write_json(views::ViewSource& source, const std::string& report, std::ostream& out);

/// Writes `<view>.csv` for each view into a folder, which is made where there is none. Each file is whole or not there.
/// Throws WriteError where one exists and `replace` is false, before any is written.
void write_csv_folder(views::ViewSource& source, const std::filesystem::path& folder, bool replace);

}  // namespace ampprof::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "reports/queries/queries.h"

class QComboBox;
class QWidget;

namespace ampprof::gui {

/// Runs to choose one from: `chosen` is, or else the first. The data of an item is the id of its run, a qlonglong.
QComboBox* makeRunBox(const std::vector<queries::RunRow>& runs, const std::optional<queries::RunRow>& chosen,
                      QWidget* parent);

}  // namespace ampprof::gui

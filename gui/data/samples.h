// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace ampprof::gui {

/// A program that comes with ampprof.
struct Sample {
  QString name;
  QString about;

  bool operator==(const Sample&) const = default;
};

/// Reads what `ampprof samples --format json` prints. Leaves out what is damaged.
std::vector<Sample> samplesFrom(const QByteArray& json);

/// Asks the command line for its samples. Waits for the answer, so call it on another thread; empty where there is
/// none.
std::vector<Sample> installedSamples();

}  // namespace ampprof::gui

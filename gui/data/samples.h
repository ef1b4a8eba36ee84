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

/// Parses the output of `ampprof samples --format json`. Skips invalid entries.
std::vector<Sample> samplesFrom(const QByteArray& json);

/// Runs `ampprof samples` and waits for its output, so call it on another thread. Returns an empty list if the command
/// fails.
std::vector<Sample> installedSamples();

}  // namespace ampprof::gui

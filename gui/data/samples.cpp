// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/samples.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include "gui/data/confirming_run.h"

namespace ampprof::gui {
namespace {

constexpr int kAnswerWithin = 10'000;  // ms to wait for `ampprof samples`

}  // namespace

std::vector<Sample> samplesFrom(const QByteArray& json) {
  std::vector<Sample> samples;
  for (const QJsonValue& value : QJsonDocument::fromJson(json).array()) {
    const Sample sample{value["name"].toString(), value["about"].toString()};
    if (!sample.name.isEmpty()) samples.push_back(sample);
  }
  return samples;
}

std::vector<Sample> installedSamples() {
  QProcess process;
  process.start(QString::fromStdString(ampprofProgram()), {"samples", "--format", "json"});
  return process.waitForFinished(kAnswerWithin) ? samplesFrom(process.readAllStandardOutput()) : std::vector<Sample>();
}

}  // namespace ampprof::gui

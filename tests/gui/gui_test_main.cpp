// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "tests/run_tests.h"

int main(int count, char** arguments) {
  QStandardPaths::setTestModeEnabled(true);  // leaves the user's settings alone
  const QTemporaryDir settings;              // separates the settings of test processes
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  const QApplication application(count, arguments);
  return ampprof::testing_main::run_tests(count, arguments);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QStandardPaths>

#include "tests/run_tests.h"

int main(int count, char** arguments) {
  QStandardPaths::setTestModeEnabled(true);  // settings of the user are left alone
  const QApplication application(count, arguments);
  return ampprof::testing_main::run_tests(count, arguments);
}

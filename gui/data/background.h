// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QString>
#include <QtConcurrentRun>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace ampprof::gui {

/// Runs `work()` on another thread, then `done(result)` on the thread of `owner`, or `failed(message)` if `work` threw.
/// Calls neither callback if `owner` was destroyed meanwhile. `work` must own everything that it uses.
template <class Work, class Done, class Failed>
void inBackground(QObject* owner, Work work, Done done, Failed failed) {
  using Outcome = std::variant<std::invoke_result_t<Work>, QString>;
  const auto run = [work = std::move(work)]() -> std::shared_ptr<Outcome> {
    try {
      return std::make_shared<Outcome>(std::in_place_index<0>, work());
    } catch (const std::exception& error) {
      return std::make_shared<Outcome>(std::in_place_index<1>, QString::fromUtf8(error.what()));
    }
  };
  // Not QFuture::then(): Qt 6.4 occasionally loses a continuation when the work finishes at once.
  auto* watcher = new QFutureWatcher<std::shared_ptr<Outcome>>(owner);
  QObject::connect(watcher, &QFutureWatcherBase::finished, owner,
                   [watcher, done = std::move(done), failed = std::move(failed)] {
                     const std::shared_ptr<Outcome> outcome = watcher->result();
                     watcher->deleteLater();
                     outcome->index() == 0 ? done(std::move(std::get<0>(*outcome))) : failed(std::get<1>(*outcome));
                   });
  watcher->setFuture(QtConcurrent::run(run));
}

}  // namespace ampprof::gui

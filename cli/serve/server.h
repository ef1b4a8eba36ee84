// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "cli/serve/site.h"

namespace ampprof::cli::serve {

/// An HTTP server that listens only on 127.0.0.1.
class Server {
 public:
  /// `port` 0 selects any free port. Throws WriteError if the port cannot be opened.
  explicit Server(int port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// Answers requests one after the other until SIGINT, SIGTERM or stop().
  void run(const std::function<Response(const Request&)>& answer);
  /// May be called from any thread.
  void stop();

 private:
  struct Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace ampprof::cli::serve

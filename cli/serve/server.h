// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "cli/serve/site.h"

namespace ampprof::cli::serve {

/// Listens on 127.0.0.1 alone.
class Server {
 public:
  /// `port` 0: any that is free. Throws WriteError where it cannot listen there.
  explicit Server(int port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// Answers one request after the other until SIGINT or SIGTERM comes, or stop() is called.
  void run(const std::function<Response(const Request&)>& answer);
  /// From any thread.
  void stop();

 private:
  struct Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace ampprof::cli::serve

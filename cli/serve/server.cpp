// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/server.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <exception>

#include "reports/store/report_error.h"

namespace ampprof::cli::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr std::chrono::seconds kIdleTimeout{10};
constexpr std::uint32_t kLongestHeader = 16384;

using Answer = std::function<Response(const Request&)>;

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

http::response<http::string_body> as_http(Response answer, bool is_head, bool keeps_alive) {
  http::response<http::string_body> message(static_cast<http::status>(answer.status), /*version=*/11);
  message.set(http::field::content_type, answer.type);
  message.set(http::field::cache_control, "no-store");
  message.set("X-Content-Type-Options", "nosniff");
  message.set("X-Frame-Options", "DENY");
  message.set("Referrer-Policy", "no-referrer");
  for (const auto& [name, value] : answer.headers) message.set(name, value);
  message.keep_alive(keeps_alive);
  const std::size_t bytes = answer.body.size();
  if (!is_head) message.body() = std::move(answer.body);
  message.content_length(bytes);
  return message;
}

/// Answers the requests of one connection, until the client closes it or sends nothing for kIdleTimeout.
asio::awaitable<void> serve_connection(tcp::socket socket, const Answer& answer) {
  beast::tcp_stream stream(std::move(socket));
  beast::flat_buffer buffer(kLongestHeader);
  try {
    for (bool goes_on = true; goes_on;) {
      stream.expires_after(kIdleTimeout);
      http::request_parser<http::empty_body> parser;
      parser.header_limit(kLongestHeader);
      co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
      const auto& request = parser.get();
      goes_on = request.keep_alive();
      auto message = as_http(answer({.method = text_of(request.method_string()),
                                     .target = text_of(request.target()),
                                     .host = text_of(request[http::field::host]),
                                     .cookie = text_of(request[http::field::cookie])}),
                             request.method() == http::verb::head, goes_on);
      stream.expires_after(kIdleTimeout);
      http::response_serializer<http::string_body> serializer(message);
      if (request.method() == http::verb::head) {
        co_await http::async_write_header(stream, serializer, asio::use_awaitable);
      } else {
        co_await http::async_write(stream, serializer, asio::use_awaitable);
      }
    }
  } catch (const std::exception&) {
    // The client closed the connection, or sent something other than HTTP.
  }
}

asio::awaitable<void> listen(tcp::acceptor& acceptor, const Answer& answer) {
  while (acceptor.is_open()) {
    boost::system::error_code error;
    tcp::socket socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (!error) asio::co_spawn(acceptor.get_executor(), serve_connection(std::move(socket), answer), asio::detached);
  }
}

}  // namespace

struct Server::Sockets {
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
};

Server::Server(int port) : sockets_(std::make_unique<Sockets>()) {
  const tcp::endpoint here(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port));
  try {
    sockets_->acceptor.open(here.protocol());
    sockets_->acceptor.set_option(tcp::acceptor::reuse_address(true));
    sockets_->acceptor.bind(here);
    sockets_->acceptor.listen();
  } catch (const boost::system::system_error& error) {
    throw store::WriteError(
        fmt::format("Cannot listen on port {}: {}. Choose another one with --port.", port, error.code().message()));
  }
}

Server::~Server() = default;

int Server::port() const { return sockets_->acceptor.local_endpoint().port(); }

void Server::run(const Answer& answer) {
  asio::signal_set signals(sockets_->context, SIGINT, SIGTERM);
  signals.async_wait([this](const boost::system::error_code& error, int) {
    if (!error) sockets_->context.stop();
  });
  asio::co_spawn(sockets_->context, listen(sockets_->acceptor, answer), asio::detached);
  sockets_->context.run();
}

void Server::stop() { sockets_->context.stop(); }

}  // namespace ampprof::cli::serve

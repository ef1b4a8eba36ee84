// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "reports/store/report_error.h"

namespace ampprof::cli::serve {
namespace server_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Sends bytes to a local port. Returns what the server sends until it closes the connection.
std::string sent(int port, const std::string& bytes) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  ::shutdown(socket, SHUT_WR);
  std::string back;
  char part[4096];
  for (ssize_t size = 0; (size = ::recv(socket, part, sizeof part, 0)) > 0;)
    back.append(part, static_cast<std::size_t>(size));
  ::close(socket);
  return back;
}

class Servers : public testing::Test {
 protected:
  Servers() : thread_([this] { server_.run([](const Request& request) { return echo(request); }); }) {}
  ~Servers() override {
    server_.stop();
    thread_.join();
  }

  static Response echo(const Request& request) {
    return {.body = request.method + ' ' + request.target + ' ' + request.host + ' ' + request.cookie};
  }
  std::string ask(const std::string& bytes) const { return sent(server_.port(), bytes); }

  Server server_{0};
  std::thread thread_;
};

TEST_F(Servers, HandOnWhatARequestHolds) {
  const std::string answer = ask("GET /a?b HTTP/1.1\r\nHost: me:1\r\nCookie: c=d\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Cache-Control: no-store\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nGET /a?b me:1 c=d"));
}

TEST_F(Servers, AnswerSeveralRequestsOfAConnection) {
  const std::string answer = ask("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("GET /1"));
  EXPECT_THAT(answer, HasSubstr("GET /2"));
}

TEST_F(Servers, SendNoBodyForHead) {
  const std::string answer = ask("HEAD /a HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 9\r\n"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST_F(Servers, SurviveRequestsThatAreNotHttp) {
  EXPECT_EQ(ask("\x16\x03\x01 this is TLS"), "");
  EXPECT_EQ(ask(""), "");
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n"), "");
  EXPECT_THAT(ask("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), HasSubstr("200 OK"));
}

TEST_F(Servers, ListenOnAPortOnce) {
  try {
    const Server second(server_.port());
    FAIL() << "two servers listen";
  } catch (const store::WriteError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Choose another one with --port."));
  }
}

}  // namespace server_test
}  // namespace ampprof::cli::serve

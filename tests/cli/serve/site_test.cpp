// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::cli::serve {
namespace site_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";
constexpr int kPort = 8080;

class Sites : public testing::Test {
 protected:
  Sites() {
    fs::create_directories(folder_.path() / "runs/a & b");
    write_synthetic_report(folder_.path() / "runs/r.ampprof");
    write_synthetic_report(folder_.path() / "runs/a & b/100%.ampprof");
    write_synthetic_report(folder_.path() / "other.ampprof");
    std::ofstream(folder_.path() / "runs/notes.txt") << "secret";
    fs::create_symlink(folder_.path() / "other.ampprof", folder_.path() / "runs/link.ampprof");
  }

  static Request asks(const std::string& target) {
    static const std::string kCookie = std::string("ampprof8080=") + kToken;
    return {.method = "GET", .target = target, .host = "127.0.0.1:8080", .cookie = kCookie};
  }
  Response answer(const Request& request) const { return Site(folder_.path() / "runs", kToken, kPort).answer(request); }
  Response answer(const std::string& target) const { return answer(asks(target)); }

  static std::string header(const Response& response, const std::string& name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }

  const test_support::TemporaryFolder folder_;
};

TEST_F(Sites, ListTheReportsOfTheirFolder) {
  const Response list = answer("/");
  EXPECT_EQ(list.status, 200);
  EXPECT_THAT(list.body, HasSubstr("<a href=\"/report/r.ampprof\">r.ampprof</a>"));
  EXPECT_THAT(list.body, HasSubstr("<a href=\"/report/a%20%26%20b/100%25.ampprof\">a &amp; b/100%.ampprof</a>"));
  EXPECT_THAT(list.body, Not(HasSubstr("other")));
  EXPECT_THAT(list.body, Not(HasSubstr("notes")));
}

TEST_F(Sites, ShowAReport) {
  for (const char* target : {"/report/r.ampprof", "/report/a%20%26%20b/100%25.ampprof", "/report/r.ampprof?x=1"}) {
    const Response page = answer(target);
    EXPECT_EQ(page.status, 200) << target;
    EXPECT_THAT(page.type, HasSubstr("text/html"));
    EXPECT_THAT(page.body, HasSubstr("connect-src 'self'"));
    EXPECT_THAT(page.body, HasSubstr("<section id=\"runs\">"));
  }
}

TEST_F(Sites, TellWhetherAReportHasChanged) {
  const std::string before = answer("/revision/r.ampprof").body;
  EXPECT_EQ(answer("/revision/r.ampprof").body, before);
  fs::last_write_time(folder_.path() / "runs/r.ampprof", fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_NE(answer("/revision/r.ampprof").body, before);
}

TEST_F(Sites, OfOneReportShowNoOther) {
  const Site site(folder_.path() / "runs/r.ampprof", kToken, kPort);
  EXPECT_EQ(header(site.answer(asks("/")), "Location"), "/report/r.ampprof");
  EXPECT_EQ(site.answer(asks("/report/r.ampprof")).status, 200);
  EXPECT_EQ(site.answer(asks("/report/a%20%26%20b/100%25.ampprof")).status, 404);
  EXPECT_EQ(site.answer(asks("/report/./r.ampprof")).status, 404);
}

TEST_F(Sites, RefuseWhoHasNoToken) {
  for (const char* cookie : {"", "ampprof8080=", "ampprof8080=0", "ampprof8081=0123456789abcdef0123456789abcdef",
                             "xampprof8080=0123456789abcdef0123456789abcdef"}) {
    Request request = asks("/report/r.ampprof");
    request.cookie = cookie;
    EXPECT_EQ(answer(request).status, 403) << cookie;
    request.target = "/?token=0123456789abcdef0123456789abcdee";
    EXPECT_EQ(answer(request).status, 403) << cookie;
  }
  Request among = asks("/");
  among.cookie = std::string("a=b; ampprof8080=") + kToken + "; c=d";
  EXPECT_EQ(answer(among).status, 200);
}

TEST_F(Sites, TakeTheTokenOutOfTheAddress) {
  Request request = asks(std::string("/report/a%20%26%20b/100%25.ampprof?token=") + kToken);
  request.cookie = "";
  const Response led = answer(request);
  EXPECT_EQ(led.status, 303);
  EXPECT_EQ(header(led, "Location"), "/report/a%20%26%20b/100%25.ampprof");
  EXPECT_THAT(header(led, "Set-Cookie"), HasSubstr("HttpOnly; SameSite=Lax"));
  request.target = std::string("//evil.example/?token=") + kToken;
  EXPECT_EQ(header(answer(request), "Location"), "/evil.example/") << "a path of this host";
}

TEST_F(Sites, RefuseOtherHostsAndMethods) {
  for (const char* host : {"", "evil.example", "127.0.0.1", "127.0.0.1:8081", "localhost"}) {
    Request request = asks("/");
    request.host = host;
    EXPECT_EQ(answer(request).status, 403) << host;
  }
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "get", ""}) {
    Request request = asks("/");
    request.method = method;
    EXPECT_EQ(answer(request).status, 405) << method;
  }
}

TEST_F(Sites, ShowNothingOutsideOfTheirFolder) {
  for (const char* target : {"/report/../other.ampprof", "/report/%2e%2e/other.ampprof", "/report/..%2Fother.ampprof",
                             "/report/link.ampprof", "/report//etc/passwd", "/report/%2Fetc%2Fpasswd",
                             "/report/notes.txt", "/report/", "/report/none.ampprof", "/report/a%20%26%20b",
                             "/revision/../other.ampprof", "/revision/notes.txt", "/notes.txt", "/reports/r.ampprof"}) {
    const Response response = answer(target);
    EXPECT_EQ(response.status, 404) << target << '\n' << response.body;
  }
  for (const char* target : {"", "r.ampprof", "/report/%zz", "/report/%", "/report/%4", "/report/r%00.ampprof"}) {
    EXPECT_EQ(answer(target).status, 400) << target;
  }
}

TEST_F(Sites, SayWhatIsWrongWithAReport) {
  std::ofstream(folder_.path() / "runs/broken.ampprof") << "this is no report";
  const Response response = answer("/report/broken.ampprof");
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.body, HasSubstr("broken.ampprof"));
}

}  // namespace site_test
}  // namespace ampprof::cli::serve

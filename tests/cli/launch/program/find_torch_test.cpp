// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/find_torch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "cli/launch/program/torch_version.h"
#include "reports/text/usage_error.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace find_torch_test {

using testing_reports::TemporaryFolder;
namespace fs = std::filesystem;

fs::path torch_at(const fs::path& folder, const std::string& version) {
  fs::create_directories(folder);
  std::ofstream(folder / "version.py") << "__version__ = '" << version << "'\n";
  return folder;
}

/// Sets or unsets an environment variable, and restores it on destruction.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Variable() { set(old_ ? old_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

  void set(const char* value) { value == nullptr ? unsetenv(name_) : setenv(name_, value, 1); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// An installation in site-packages/ampprof that supports two LibTorch versions, on a machine without LibTorch.
class FindOwnTorch : public testing::Test {
 protected:
  void SetUp() override {
    serve("90.1.0");
    serve("90.2.0");
  }

  void serve(const std::string& version) { fs::create_directories(installation_.for_torch(version).path); }

  std::string refusal(const std::string& asked) {
    try {
      find_own_torch(asked, installation_);
    } catch (const text::UsageError& error) {
      return error.what();
    }
    return "";
  }

  void has_python_with(const fs::path& torch) {
    const fs::path python = folder_ / "bin" / "python3";
    fs::create_directories(python.parent_path());
    std::ofstream(python) << "#!/bin/sh\necho '" << torch.string() << "'\n";
    fs::permissions(python, fs::perms::owner_all);
    path_.set(python.parent_path().c_str());
  }

  Variable libtorch_{"LIBTORCH", nullptr};
  Variable path_{"PATH", "/nowhere"};  // a PATH without python3
  TemporaryFolder folder_;
  fs::path packages_ = folder_ / "site-packages";
  Installation installation_ = Installation::of(packages_ / "ampprof" / "bin" / "ampprof");
};

TEST_F(FindOwnTorch, TakesTheOneBesideThePackage) {
  const fs::path torch = torch_at(packages_ / "torch", "90.1.0+cu128");
  const auto found = find_own_torch("", installation_).value();
  EXPECT_EQ(found.version, "90.1.0");
  EXPECT_EQ(found.lib, torch / "lib");
}

TEST_F(FindOwnTorch, TakesThatOfTheVariableFirst) {
  torch_at(packages_ / "torch", "90.1.0");
  const fs::path torch = torch_at(folder_ / "mine", "90.2.0");
  libtorch_.set(torch.c_str());
  EXPECT_EQ(find_own_torch("", installation_).value().lib, torch / "lib");
}

TEST_F(FindOwnTorch, TakesThatOfPython) {
  const fs::path torch = torch_at(folder_ / "environment" / "torch", "90.1.0");
  has_python_with(torch);
  EXPECT_EQ(find_own_torch("", installation_).value().lib, torch / "lib");
}

TEST_F(FindOwnTorch, TakesNothingFromTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(torch_at(folder_ / "work", "90.1.0"));
  libtorch_.set("");
  has_python_with("");
  const std::string said = refusal("");
  fs::current_path(before);
  EXPECT_NE(said.find("No LibTorch 90.2.0 or 90.1.0 was found. Activate"), std::string::npos) << said;
}

TEST_F(FindOwnTorch, TakesTheVersionThatIsAskedFor) {
  torch_at(packages_ / "torch", "90.1.0");
  const fs::path torch = torch_at(folder_ / "environment" / "torch", "90.2.0");
  has_python_with(torch);
  EXPECT_EQ(find_own_torch("90.2.0", installation_).value().lib, torch / "lib");
}

TEST_F(FindOwnTorch, SaysWhatWasFoundInstead) {
  const fs::path torch = torch_at(packages_ / "torch", "90.3.0");
  const std::string said = refusal("");
  EXPECT_NE(said.find("No LibTorch 90.2.0 or 90.1.0 was found, only 90.3.0 in " + (torch / "lib").string()),
            std::string::npos)
      << said;
}

TEST_F(FindOwnTorch, SaysThatThereIsNone) {
  const std::string said = refusal("90.1.0");
  EXPECT_NE(said.find("No LibTorch 90.1.0 was found. Activate"), std::string::npos) << said;
}

TEST_F(FindOwnTorch, RefusesAVersionThatIsNotServed) {
  EXPECT_NE(refusal("90.4.0").find("--torch uses LibTorch 90.4.0, and this ampprof records 90.1.0 and 90.2.0."),
            std::string::npos)
      << refusal("90.4.0");
}

TEST_F(FindOwnTorch, FindsNothingWhereNoneIsServed) {
  const auto bare = Installation::of(folder_ / "bare" / "bin" / "ampprof");
  EXPECT_FALSE(find_own_torch("", bare).has_value());
  EXPECT_EQ(version_or_default("", bare), "");
}

TEST_F(FindOwnTorch, PrefersTheNewest) {
  EXPECT_EQ(version_or_default("", installation_), "90.2.0");
  EXPECT_EQ(version_or_default("90.1.0", installation_), "90.1.0");
}

}  // namespace find_torch_test
}  // namespace ampprof::cli

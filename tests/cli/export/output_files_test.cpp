// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"
#include "tests/temporary_folder.h"
#include "views/table/xml.h"

namespace ampprof::cli {
namespace output_files_test {

namespace fs = std::filesystem;
using test_support::bytes_of;
using test_support::TemporaryFolder;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(WriteFile, ReplacesAFileAsAWhole) {
  const TemporaryFolder folder;
  text::write_file(folder / "f", "a longer text");
  text::write_file(folder / "f", "short");
  EXPECT_EQ(bytes_of(folder / "f"), "short");
  EXPECT_EQ(files_in(folder.path()), 1u) << "nothing is left beside it";
}

TEST(WriteFile, KeepsALink) {
  const TemporaryFolder folder;
  text::write_file(folder / "f", "old");
  fs::create_symlink("f", folder / "link");
  text::write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(bytes_of(folder / "f"), "new");
}

TEST(WriteFile, SaysWhatCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THROW(text::write_file(folder / "none/f", "x"), text::UsageError);
  EXPECT_THROW(text::write_file("/dev/full", "x"), text::UsageError);
  EXPECT_THROW(text::write_file(folder.path(), "x"), text::UsageError);
  EXPECT_NO_THROW(text::write_file("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(XmlEscaped, LeavesNoMarkup) {
  EXPECT_EQ(views::xml_escaped("a < b && \"c\" > 'd'"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; &apos;d&apos;");
  EXPECT_EQ(views::xml_escaped("a\nb\tc"), "a&#10;b&#9;c");
  EXPECT_EQ(views::xml_escaped("µ ± 語 😀"), "µ ± 語 😀");
}

TEST(XmlEscaped, ReplacesInvalidCharacters) {
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(views::xml_escaped(std::string("a\0b", 3)), "a" + replaced + "b");
  EXPECT_EQ(views::xml_escaped("\x1B[31m"), replaced + "[31m");
  EXPECT_EQ(views::xml_escaped("\xFFz"), replaced + "z");
  EXPECT_EQ(views::xml_escaped("\xC3"), replaced) << "cut off";
  EXPECT_EQ(views::xml_escaped("\xC0\x80"), replaced + replaced) << "overlong";
  EXPECT_EQ(views::xml_escaped("\xED\xA0\x80").substr(0, 3), replaced) << "half of a surrogate pair";
  EXPECT_EQ(views::xml_escaped("\xEF\xBF\xBE"), replaced) << "U+FFFE";
}

}  // namespace output_files_test
}  // namespace ampprof::cli

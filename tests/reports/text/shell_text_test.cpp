// SPDX-License-Identifier: Apache-2.0
#include "reports/text/shell_text.h"

#include <gtest/gtest.h>

#include <random>

namespace ampprof::text {
namespace shell_text_test {

using Words = std::vector<std::string>;

TEST(WordsOf, AreThoseThatAShellReads) {
  EXPECT_EQ(words_of("python  train.py --lr=0.1"), (Words{"python", "train.py", "--lr=0.1"}));
  EXPECT_EQ(words_of("a 'b c' 'it'\\''s' ''"), (Words{"a", "b c", "it's", ""}));
  EXPECT_EQ(words_of("my\\ model.py"), Words{"my model.py"});
  EXPECT_EQ(words_of(""), Words{});
}

TEST(WordsOf, AreNoneWhereAQuoteDoesNotEnd) { EXPECT_EQ(words_of("a 'b"), std::nullopt); }

TEST(WordsOf, AreTheArgumentsOfAnyShellText) {
  constexpr std::string_view kLetters = "ab '\"\\$*\n-=";
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    Words words(random() % 4);
    for (std::string& word : words) {
      for (auto left = random() % 6; left > 0; --left) word += kLetters[random() % kLetters.size()];
    }
    EXPECT_EQ(words_of(shell_text(words)), words) << shell_text(words);
  }
}

TEST(FlagIn, IsTheValueOfThatFlagAlone) {
  const std::string line = "--impact-memory=2G --train '--policy=my rules.amp'";
  EXPECT_EQ(flag_in(line, "--impact"), std::nullopt);
  EXPECT_EQ(flag_in(line, "--train"), "");
  EXPECT_EQ(flag_in(line, "--policy"), "my rules.amp");
  EXPECT_EQ(flag_in("--policy='", "--policy"), std::nullopt);
}

}  // namespace shell_text_test
}  // namespace ampprof::text

// SPDX-License-Identifier: Apache-2.0
// Tests recipes as text: built-in recipes survive writing and parsing, and an error in a user's file names its line.
#include "precision/formats/recipes/recipe_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>

#include "precision/formats/recipes/recipe_error.h"

namespace ampprof::recipes {
namespace recipe_file_test {

constexpr std::string_view kWhole = R"(# MXFP8, but for weights
name own       # one word
least_sm 100
convolutions emulated
multiples columns 32 leading 8

fprop input fp8e4m3 scale block_e8m0 block 1x32
fprop weight fp8e5m2 block 64x1 scale block_fp32 round stochastic
dgrad weight bf16
dgrad grad_output fp8e4m3 history 16 scale tensor_delayed
wgrad input fp4e2m1 scale block_e4m3 block 1x16 transform hadamard
wgrad grad_output tf32 transform hadamard
summary mostly  MXFP8
)";

std::string message_of(const std::string& text) {
  try {
    parse_recipe(text, "my.recipe");
  } catch (const RecipeError& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string_view part, std::string_view by) {
  std::string text(kWhole);
  const auto place = text.find(part);
  EXPECT_NE(place, text.npos) << part;
  return text.replace(place, part.size(), by);
}

TEST(RecipeFile, ReadsEachTerm) {
  const Recipe recipe = parse_recipe(kWhole, "my.recipe");
  Recipe expected{.name = "own", .summary = "mostly MXFP8", .least_sm = 100, .has_convolutions = false};
  expected.multiples = {.rows = 1, .columns = 32, .leading = 8};
  expected[Slot::FpropInput] = {.element = Element::Float8E4M3, .scale = Scale::BlockE8M0, .block = {1, 32}};
  expected[Slot::FpropWeight] = {
      .element = Element::Float8E5M2, .scale = Scale::BlockFloat, .block = {64, 1}, .rounding = Rounding::Stochastic};
  expected[Slot::DgradWeight] = {.element = Element::BFloat16};
  expected[Slot::DgradGradOutput] = {.element = Element::Float8E4M3, .scale = Scale::TensorDelayed, .history = 16};
  expected[Slot::WgradInput] = {
      .element = Element::Float4E2M1, .scale = Scale::BlockE4M3, .block = {1, 16}, .transform = Transform::Hadamard};
  expected[Slot::WgradGradOutput] = {.element = Element::TensorFloat32, .transform = Transform::Hadamard};
  EXPECT_EQ(recipe, expected);
  EXPECT_EQ(parse_recipe(to_text(recipe), "again"), expected);
}

TEST(RecipeFile, SaysAllThatShips) {
  for (const Shipped& shipped : all_recipes()) {
    EXPECT_EQ(parse_recipe(to_text(shipped.recipe), "shipped"), shipped.recipe) << to_text(shipped.recipe);
    for (const Switch& one : shipped.switches) {
      const Recipe recipe = recipe_named(shipped.recipe.name + ',' + std::string(one.name));
      EXPECT_NE(recipe.operands, shipped.recipe.operands) << one.name;
      EXPECT_EQ(parse_recipe(to_text(recipe), "switched"), recipe) << to_text(recipe);
    }
  }
}

TEST(RecipeFile, IsReadFromDisk) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "ampprof_recipe_file_test.recipe";
  std::ofstream(path) << kWhole;
  EXPECT_EQ(load_recipe(path).name, "own");
  std::filesystem::remove(path);
  try {
    load_recipe(path);
    ADD_FAILURE() << "a file that is not there was read";
  } catch (const RecipeError& error) {
    EXPECT_EQ(error.what(),
              "The recipe file " + path.string() + " cannot be read. Check that it exists, and its permissions.");
  }
}

struct Mistake {
  const char* name;
  std::string_view part;
  std::string_view by;
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class RecipeFileMistake : public testing::TestWithParam<Mistake> {};

TEST_P(RecipeFileMistake, IsReportedWithItsLine) {
  EXPECT_EQ(message_of(replaced(GetParam().part, GetParam().by)), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, RecipeFileMistake,
    testing::Values(
        Mistake{"no_name", "name own", "", "my.recipe:13: the recipe has no name; add a line \"name my_recipe\"."},
        Mistake{"long_name", "name own", "name my own", "my.recipe:2: a name must be one word, as in my_recipe."},
        Mistake{"name_alone", "name own", "name", "my.recipe:2: \"name\" has no value; write one after it."},
        Mistake{"twice", "convolutions emulated", "least_sm 90",
                "my.recipe:4: \"least_sm\" is given twice; remove one."},
        Mistake{"no_number", "least_sm 100", "least_sm 10.0",
                "my.recipe:3: \"10.0\" is not a number from 1 to 9999; write one in digits."},
        Mistake{"convolutions", "emulated", "no",
                "my.recipe:4: convolutions cannot be \"no\"; use hardware or emulated."},
        Mistake{"size", "leading 8", "batch 8", "my.recipe:5: \"batch\" is not a size; use rows, columns or leading."},
        Mistake{"no_multiple", "leading 8", "leading",
                "my.recipe:5: a size or its multiple is missing; write \"multiples rows 32 columns 32 leading 32\"."},
        Mistake{"no_line", "least_sm 100", "scale tensor",
                "my.recipe:3: \"scale tensor\" is not a line of a recipe; a line begins with name, summary, least_sm, "
                "convolutions, multiples, fprop, dgrad or wgrad."},
        Mistake{
            "no_operand", "fprop input", "fprop bias",
            "my.recipe:7: \"fprop bias\" is not an operand; fprop has input and weight, dgrad grad_output and weight, "
            "wgrad input and grad_output."},
        Mistake{"operand_twice", "fprop weight", "fprop input",
                "my.recipe:8: fprop input is in line 7 already; remove one of the two."},
        Mistake{"operand_missing", "dgrad weight bf16", "",
                "my.recipe:13: there is no line for dgrad weight; add a line, as in \"dgrad weight bf16\"."},
        Mistake{"no_element", "dgrad weight bf16", "dgrad weight",
                "my.recipe:9: the element type is missing; write one, as in \"fprop input bf16\"."},
        Mistake{"element", "dgrad weight bf16", "dgrad weight fp6",
                "my.recipe:9: \"fp6\" is not an element type; use fp16, bf16, tf32, fp8e4m3, fp8e5m2 or fp4e2m1."},
        Mistake{"scale", "scale block_e8m0", "scale e8m0",
                "my.recipe:7: \"e8m0\" is not a kind of scale; use none, tensor, tensor_delayed, block_fp32, "
                "block_power_of_two, block_e8m0 or block_e4m3."},
        Mistake{"needs_scale", "dgrad weight bf16", "dgrad weight fp8e4m3",
                "my.recipe:9: fp8e4m3 needs a scale; add one, as in \"scale tensor\"."},
        Mistake{"needs_no_scale", "dgrad weight bf16", "dgrad weight bf16 scale tensor",
                "my.recipe:9: bf16 has no scale; leave out \"scale tensor\"."},
        Mistake{"stochastic_bf16", "dgrad weight bf16", "dgrad weight bf16 round stochastic",
                "my.recipe:9: bf16 is rounded to nearest; leave out \"round stochastic\"."},
        Mistake{"needs_block", "block_e8m0 block 1x32", "block_e8m0",
                "my.recipe:7: the scale block_e8m0 has blocks; give their shape, as in \"block 1x32\"."},
        Mistake{"needs_no_block", "block_e8m0 block 1x32", "tensor block 1x32",
                "my.recipe:7: the scale tensor has no blocks; leave out \"block\", or use another scale."},
        Mistake{"block", "block 1x32", "block 32",
                "my.recipe:7: \"32\" is not a block; write its sizes across and along the dimension that the matmul "
                "sums over, as in 1x32."},
        Mistake{"long_block", "block 1x32", "block 1x513",
                "my.recipe:7: \"513\" is not a number from 1 to 512; write one in digits."},
        Mistake{"empty_block", "block 1x32", "block 0x32",
                "my.recipe:7: \"0\" is not a number from 1 to 512; write one in digits."},
        Mistake{"no_history", "history 16 ", "",
                "my.recipe:10: a delayed scale needs a history; give its length in steps, as in \"history 1024\"."},
        Mistake{"history", "block 1x32", "block 1x32 history 4",
                "my.recipe:7: the scale block_e8m0 uses no history; leave out \"history\"."},
        Mistake{"rounding", "round stochastic", "round up",
                "my.recipe:8: \"up\" is not a rounding; use nearest or stochastic."},
        Mistake{"transform", "1x16 transform hadamard", "1x16 transform dct",
                "my.recipe:11: \"dct\" is not a transform; use none or hadamard."},
        Mistake{
            "part", "round stochastic", "rounding stochastic",
            "my.recipe:8: \"rounding\" is not a part of an operand; use scale, block, history, round or transform."},
        Mistake{"part_twice", "block 1x32", "block 1x32 block 1x16",
                "my.recipe:7: \"block\" is given twice; remove one."},
        Mistake{"part_alone", "round stochastic", "round", "my.recipe:8: \"round\" has no value; write one after it."},
        Mistake{"lone_transform", "tf32 transform hadamard", "tf32",
                "my.recipe:12: a transform cancels only if both operands of wgrad have it; give it to both or none."}),
    [](const auto& info) { return info.param.name; });

TEST(RecipeFile, IsReadWhereARecipeIsWanted) {
  EXPECT_EQ(recipe_from("nvfp4,nearest"), recipe_named("nvfp4,nearest"));
  const auto path = std::filesystem::temp_directory_path() / "recipe_file_test.recipe";
  std::ofstream(path) << to_text(recipe_named("mxfp8"));
  EXPECT_EQ(recipe_from(path.string()), recipe_named("mxfp8"));
  std::filesystem::remove(path);
  EXPECT_THROW(recipe_from(path.string()), RecipeError);
  EXPECT_THROW(recipe_from("mxfp9"), RecipeError);
}

TEST(RecipeFile, SaysThatAnEmptyOneHasNoName) {
  EXPECT_EQ(message_of(""), "my.recipe:1: the recipe has no name; add a line \"name my_recipe\".");
}

}  // namespace recipe_file_test
}  // namespace ampprof::recipes

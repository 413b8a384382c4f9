// Every case of the folder, and every ruling in some case or test.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "games/company_leader/game.h"
#include "match/case.h"

namespace baton::company_leader {
namespace {

const std::filesystem::path folder = std::filesystem::path(BATON_SOURCE_DIR) / "games/company_leader";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> case_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "cases")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class CompanyLeaderCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(CompanyLeaderCase, Holds) {
  const auto read = read_case(GetParam().filename().string(), text_of(GetParam()));
  ASSERT_TRUE(read) << read.error().text();
  const std::string scenario = read->scenario.empty() ? "standard" : read->scenario;
  const auto report = run_case_of<Game>(*read, {scenario + ".toml", text_of(folder / "scenarios" / (scenario + ".toml"))});
  EXPECT_TRUE(report) << report.error().text();
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-'; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Cases, CompanyLeaderCase, testing::ValuesIn(case_files()), name_of);

TEST(CompanyLeaderCases, EveryRulingHasACase) {
  std::set<std::string> rules;
  for (const auto& path : case_files()) {
    const auto read = read_case(path.filename().string(), text_of(path));
    ASSERT_TRUE(read) << read.error().text();
    rules.insert(read->rules.begin(), read->rules.end());
  }
  for (int ruling = 1; ruling <= 60; ++ruling) EXPECT_TRUE(rules.contains("R" + std::to_string(ruling))) << "R" << ruling;
}

// Every option in some case with another value than the standard one, every scenario in some case.
TEST(CompanyLeaderCases, EveryVariantAndScenarioHasACase) {
  std::set<std::string> options_used, scenarios_used;
  for (const auto& path : case_files()) {
    const auto read = read_case(path.filename().string(), text_of(path));
    ASSERT_TRUE(read) << read.error().text();
    scenarios_used.insert(read->scenario.empty() ? "standard" : read->scenario);
    for (const Option& option : options()) {
      const auto chosen = read->options.find(std::string(option.name));
      if (chosen != read->options.end() && chosen->second != option.standard) options_used.insert(std::string(option.name));
    }
  }
  for (const Option& option : options()) EXPECT_TRUE(options_used.contains(std::string(option.name))) << option.name;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "scenarios")) {
    EXPECT_TRUE(scenarios_used.contains(entry.path().stem().string())) << entry.path().stem();
  }
}

}  // namespace
}  // namespace baton::company_leader

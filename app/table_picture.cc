#include "app/table_picture.h"

#include <nlohmann/json.hpp>

#include "app/tables/company_commander.h"
#include "app/tables/company_leader.h"
#include "match/registry.h"

namespace baton::app {
namespace {

// For a game that nobody has drawn yet: its view as it stands.
class BarePicture final : public TablePicture {
 public:
  Lines draw(const Json& state, const Catalogue& texts, int, const Paint&) const override { return tell(state, texts); }
  Lines tell(const Json& state, const Catalogue&) const override {
    Lines lines;
    for (const auto& [key, value] : state.items()) lines.push_back(key + ": " + value.dump());
    return lines;
  }
  Lines holdings(const Json&, const Catalogue&) const override { return {}; }
  Lines look(const Json&, const Catalogue&, const std::string&, int, const Paint&, bool) const override { return {}; }
  std::string chapter(const Json& state) const override {
    return state.value("round", Json()).dump() + state.value("active", Json()).dump();
  }
};

}  // namespace

std::unique_ptr<TablePicture> picture_of(const Match& match) {
  if (const auto* typed = dynamic_cast<const TypedMatch<company_commander::Game>*>(&match)) {
    return std::make_unique<CompanyCommanderTable>(typed->scenario());
  }
  if (const auto* typed = dynamic_cast<const TypedMatch<company_leader::Game>*>(&match)) {
    return std::make_unique<CompanyLeaderTable>(typed->scenario());
  }
  return std::make_unique<BarePicture>();
}

}  // namespace baton::app

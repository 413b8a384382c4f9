// The table of Company Commander: three fronts side by side, the enemy above, the viewer below.
#pragma once

#include <set>

#include "app/table_picture.h"
#include "games/company_commander/scenario.h"

namespace baton::app {

class CompanyCommanderTable final : public TablePicture {
 public:
  explicit CompanyCommanderTable(const company_commander::Scenario& scenario) : scenario_(scenario) {}

  Lines draw(const Json& state, const Catalogue& texts, int columns, const Paint& paint) const override;
  Lines tell(const Json& state, const Catalogue& texts) const override;
  Lines holdings(const Json& state, const Catalogue& texts) const override;
  std::string chapter(const Json& state) const override;
  Lines look(const Json& state, const Catalogue& texts, const std::string& what, int columns, const Paint& paint,
             bool plain) const override;

 private:
  struct Unit {
    std::string name, at;
    const company_commander::UnitKind* kind = nullptr;
    int strength = 0, casualties = 0, pins = 0;
    std::vector<std::string> marks;
    std::string target;  // the front it assaults
  };
  using Legend = std::set<std::string>;  // marks in use

  std::size_t bottom_seat(const Json& state) const;
  std::vector<Unit> units(const Json& state, const Catalogue& texts, std::size_t seat) const;
  std::string situation(const Json& state, const Catalogue& texts) const;
  Lines side_facts(const Json& state, const Catalogue& texts, std::size_t seat) const;
  Lines hand(const Json& state, const Catalogue& texts) const;
  std::string abilities(const Catalogue& texts, const company_commander::UnitKind& kind) const;
  Lines front_notes(const Json& state, const Catalogue& texts, std::size_t seat, const std::string& front) const;
  Lines cells(const Json& state, const Catalogue& texts, std::size_t seat, const std::string& front, int width, const Paint& paint,
              Legend& used) const;
  std::string unit_cell(const Unit& unit, bool below, int width, const Paint& paint, Legend& used) const;
  std::string told_unit(const Unit& unit, const Catalogue& texts) const;
  std::string name_of_unit(const Catalogue& texts, const std::string& id) const;

  const company_commander::Scenario& scenario_;
};

}  // namespace baton::app

// The board of Company Leader as hexes, with what the viewer knows of the pieces on it.
#pragma once

#include <array>
#include <optional>
#include <set>

#include "app/table_picture.h"
#include "games/company_leader/scenario.h"

namespace baton::app {

class CompanyLeaderTable final : public TablePicture {
 public:
  explicit CompanyLeaderTable(const company_leader::Scenario& scenario);

  Lines draw(const Json& state, const Catalogue& texts, int columns, const Paint& paint) const override;
  Lines tell(const Json& state, const Catalogue& texts) const override;
  Lines holdings(const Json& state, const Catalogue& texts) const override;
  std::string chapter(const Json& state) const override;
  Lines look(const Json& state, const Catalogue& texts, const std::string& what, int columns, const Paint& paint,
             bool plain) const override;

 private:
  struct Piece {
    int owner = -1;                        // a seat, or -1: the field is empty
    int kind = 0;                          // unknown_kind where the viewer cannot name it
    bool revealed = false, known = false;  // known: concealed, but everybody remembers what it is
    int facing = 0, strength = 0;
    double troop_chance = 0;         // of an unknown piece
    bool exact = true;               // whether that chance is
    std::vector<std::string> marks;  // "used", "swapped" …
  };
  // The view read back: one piece a field, and whose eyes they are.
  struct Scene {
    int viewer = -1;  // a seat, or -1: a spectator
    std::array<Piece, max_fields> pieces;
    FieldSet watched;               // in view of an enemy of the viewer
    std::vector<int> objective_at;  // by objective
    std::optional<int> acting;
  };
  // What a troop, or all troops of the viewer's side, see and can hit.
  struct Reach {
    FieldSet seen, hit;
  };
  using Legend = std::set<std::string>;  // signs in use

  Scene scene(const Json& state) const;
  bool is_own(const Scene& scene, int seat) const;
  Reach reach_of(const Scene& scene, int field) const;
  Reach reach(const Scene& scene, std::optional<int> focus) const;

  std::string moment(const Json& state, const Catalogue& texts, const std::string& between) const;
  Lines drawn(const Json& state, const Catalogue& texts, int columns, const Paint& paint, std::optional<int> focus) const;
  Lines board_lines(const Scene& scene, const Reach& reach, const Paint& paint, Legend& used) const;
  std::string head(const Reach& reach, int field, Legend& used) const;
  std::string body(const Scene& scene, int field, Legend& used) const;
  Lines side_lines(const Json& state, const Catalogue& texts) const;
  std::string in_hand(const Json& state, const Catalogue& texts) const;
  std::string legend(const Scene& scene, const Legend& used, const Catalogue& texts) const;

  std::string said_piece(const Scene& scene, const Catalogue& texts, int field) const;
  Lines told_field(const Scene& scene, const Catalogue& texts, int field) const;
  std::string field_names(FieldSet fields) const;
  std::string facing_name(const Catalogue& texts, int facing) const;

  const company_leader::Scenario& scenario_;
  std::array<std::string, company_leader::most_seats> letters_;  // each seat's own, told apart without colour
};

}  // namespace baton::app

// What a bot needs to play Company Leader: the promise of each legal action, from the chooser's knowledge only.
#pragma once

#include <span>

#include "core/action.h"
#include "games/company_leader/knowledge.h"

namespace baton::company_leader {

// What was reckoned of one position and may hold in the next: the small choices of a turn mostly leave the enemy, and most own pieces, as they
// were. It saves time and changes nothing: what is promised never depends on what came before. For one scenario only.
class Remembered {
 public:
  Remembered() {}  // NOLINT(modernize-use-equals-default): most of it is known not to be known

  // The position that is asked about from now on.
  void look_at(const Scenario& sc, const Knowledge& k);

 private:
  friend class Judge;
  void look_at_own(const Scenario& sc, const Knowledge& k);  // before the first own troop is asked about

  // Sides as the one who looks sees them.
  struct Grounds {
    int me = -1;
    FieldSet mine, own, enemy, enemy_up, enemy_hidden;  // the last two: in the open with their facing chosen, not revealed
    FieldSet in_view;
    float boldness = 0;  // grows while nothing happens, so that games end
    std::array<std::uint8_t, most_objectives> objective_at{};
    std::uint8_t carried = 0;
    bool operator==(const Grounds&) const = default;
  };
  Grounds grounds_;
  std::array<std::uint8_t, max_fields> shown_, stand_;  // of the enemy in the open

  // Of a field, from the grounds alone.
  bool ways_known_ = false;
  std::array<std::uint8_t, max_fields> way_;              // in half steps, and three more
  std::array<FieldSet, 4> place_known_;                   // by artillery or not, infantry or not
  std::array<std::array<float, max_fields>, 4> place_;

  // Of an own troop; it also hangs on the own pieces on its field and on those around it, and on their marks.
  FieldSet swapped_, used_, displaced_;
  std::array<std::uint8_t, max_fields> kind_;  // of own pieces
  FieldSet best_known_;
  std::array<float, max_fields> best_;
};

// More is better; 0 is doing nothing. Coins are the unit: a troop is worth its cost.
void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises);
void promise(const Scenario& sc, const Knowledge& k, Remembered& remembered, const ActionList& legal, std::span<float> promises);

// How a position stands for a seat, from -1 lost to 1 won.
float worth(const Scenario& sc, const State& s, Seat seat);

}  // namespace baton::company_leader

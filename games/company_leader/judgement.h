// What a bot needs to play Company Leader: the promise of each legal action, from the chooser's knowledge only.
#pragma once

#include <span>

#include "core/action.h"
#include "games/company_leader/knowledge.h"

namespace baton::company_leader {

// What was reckoned of one position and may hold in the next: the small choices of a turn mostly leave the enemy, and most own pieces, as
// they were. It saves time and changes nothing: what is promised never depends on what came before. For one scenario only.
class Remembered {
 public:
  Remembered() {}  // NOLINT(modernize-use-equals-default): most of it is known not to be known

  // The position that is asked about from now on.
  void look_at(const Scenario& sc, const Knowledge& k);

 private:
  friend class Judge;
  void look_at_own(const Scenario& sc, const Knowledge& k);

  // What matters all over the board, as the one who looks sees it.
  struct Grounds {
    int me = -1;
    FieldSet enemy, enemy_up, enemy_hidden;  // the last two: in the open with their facing chosen, not revealed
    FieldSet wanted;                         // urban fields that are not ours
    FieldSet in_view;
    float boldness = 0;  // grows while nothing happens, so that games end
    std::array<std::uint8_t, most_objectives> objective_at{};
    std::uint8_t carried = 0, ours = 0;  // objectives: with a troop, on a field of ours
    bool operator==(const Grounds&) const = default;
  };
  Grounds grounds_;
  FieldBytes shown_, stand_;  // of the enemy in the open

  // Of a field, from the grounds alone.
  bool ways_known_ = false;
  FieldBytes way_;  // in half steps, and three more
  struct Places {
    FieldSet known;
    std::array<float, max_fields> value;
  };
  std::array<Places, 4> places_;  // by artillery or not, infantry or not
  Places errands_;                // of a troop that carries nothing
  FieldSet carriers_;             // where an objective is carried by a troop of ours

  FieldSet side_;  // pieces of the own side

  // Of an own troop; it also hangs on the own pieces on its field and on those around it, and on their marks.
  struct Own {
    FieldSet mine, side, revealed, swapped, used, displaced;
    FieldSet differing_from(const Own& other) const;
  };
  Own own_;
  FieldBytes kind_{};
  FieldSet enterable_;  // empty, with hidden enemies that scouting may clear away, or with an own piece to swap with
  FieldSet goes_known_, best_known_, reveal_known_;
  std::array<std::array<float, facing_count>, max_fields> go_;
  std::array<float, max_fields> best_, reveal_;

  // The screen: unrevealed own pieces that no enemy has in view.
  enum class Screen : std::uint8_t { no, dummy, troop };
  FieldSet screen_;
  std::array<Screen, max_fields> on_screen_{};
};

// More is better; 0 is doing nothing. Coins are the unit: a troop is worth its cost.
void promise(const Scenario& sc, const Knowledge& k, const ActionList& legal, std::span<float> promises);
void promise(const Scenario& sc, const Knowledge& k, Remembered& remembered, const ActionList& legal, std::span<float> promises);

// As `actions`, without some that are never the most promising: swaps that bring no troop forward unseen, and giving up.
void worthwhile(const Scenario& sc, const State& s, Seat seat, ActionList& list);

// How a position stands for a seat, from -1 lost to 1 won.
float worth(const Scenario& sc, const State& s, Seat seat);

// How much of the viewer's army is still to be placed, from 1 to 0. With free armies nothing must be.
double share_to_place(const Scenario& sc, const Knowledge& k);

}  // namespace baton::company_leader

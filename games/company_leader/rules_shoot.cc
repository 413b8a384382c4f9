// Shots, return fire, blitz and repair.
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {

// "A playing piece can only shoot at the opponent's revealed troops" · R19, R27–R29
Refusal why_not_shoot(const Scenario& sc, const State& s, int field, int target, int facing) {
  if (s.step == Step::second && s.acting.shot) return Refusal::shot_already;
  if (!s.revealed.has(target) || !hostile_pieces(sc, s, s.active).has(target)) return Refusal::no_target;
  if (!sc.hit_from(s.kind[at(field)], field, facing).has(target)) return Refusal::out_of_fire;
  return Refusal::none;
}

// "if it is pointed at the shooting playing piece and has a sufficient range of fire" · R32
bool may_fire_back(const Scenario& sc, const Table& t, int shooter, int target) {
  const int own = t.shown[at(shooter)], theirs = t.shown[at(target)];
  if (sc.figures(own).high_arc || sc.figures(theirs).high_arc) return false;
  return sc.hit_from(theirs, target, facing_of(t, target)).has(shooter);
}

// "The player has to turn the front of his playing piece in the direction of the target" · R28, R35
void Rules::shoot(int field, int target, int facing) {
  begin_action(field);
  s.stand[at(field)] = static_cast<std::uint8_t>((s.stand[at(field)] & ~7) | facing);
  s.attacked.insert(field);
  s.acting.shot = true;
  s.acting.target = static_cast<std::uint8_t>(target);
  s.stirred = true;
  tell(Told::shot, field, target, facing);
  if (may_fire_back(sc, s, field, target)) {
    ask(Step::return_fire, owner_of(s, target));
  } else {
    exchange_fire(false);
  }
}

// R31: whole hits of the target's type, and its ½ signs added and rounded up.
int hits_of(const Scenario& sc, Terrain terrain, bool on_infantry, const int* faces, int count) {
  int whole = 0, halves = 0;
  for (int i = 0; i < count; ++i) {
    switch (sc.dice[static_cast<std::size_t>(terrain)][at(faces[i] - 1)]) {
      case Face::infantry: whole += on_infantry ? 1 : 0; break;
      case Face::infantry_two: whole += on_infantry ? 2 : 0; break;
      case Face::infantry_half: halves += on_infantry ? 1 : 0; break;
      case Face::vehicle: whole += on_infantry ? 0 : 1; break;
      case Face::vehicle_two: whole += on_infantry ? 0 : 2; break;
      case Face::vehicle_half: halves += on_infantry ? 0 : 1; break;
      case Face::blank: break;
    }
  }
  return whole + (halves + 1) / 2;
}

// "as many dice as the strength of his playing piece", the colour by the terrain of the target · R30, R59
int Rules::throw_dice(int shooter, int target, int count) {
  const Terrain terrain = sc.board.terrain[at(target)];
  std::array<int, most_strength> faces{};
  for (int i = 0; i < count; ++i) faces[at(i)] = chance.die();
  const int hits = hits_of(sc, terrain, sc.figures(s.kind[at(target)]).infantry, faces.data(), count);
  tell(Told::rolled, shooter, count, static_cast<int>(terrain), hits);
  tell(Told::dice, faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]);
  return hits;
}

// R33: both throws count the strength before any hit.
void Rules::exchange_fire(bool answered) {
  const int shooter = s.acting.field, target = s.acting.target;
  const int hits = throw_dice(shooter, target, strength_of(s, shooter));
  const int answer = answered ? throw_dice(target, shooter, strength_of(s, target)) : 0;
  const bool high_arc = sc.figures(s.kind[at(shooter)]).high_arc;
  if (hits > 0) hurt(target, hits);
  if (answer > 0) hurt(shooter, answer);
  if (owner_of(s, shooter) < 0) {
    s.acting = {};
    complete();
    return;
  }
  if (!settled()) return;  // R48
  // Blitz · R34; a displaced troop does not change field again (R9).
  if (owner_of(s, target) < 0 && sc.board.around[at(shooter)].has(target) && !high_arc && answer == 0 && !s.displaced.has(shooter)) {
    ask(Step::blitz, s.active);
    return;
  }
  end_slot();
}

void Rules::hurt(int field, int hits) {
  const int left = strength_of(s, field) - hits;
  const int kind = s.kind[at(field)];
  if (left > 0) {
    s.stand[at(field)] = static_cast<std::uint8_t>(facing_of(s, field) | left << 3);
    tell(Told::damaged, field, kind, left);
  } else {
    tell(Told::destroyed, owner_of(s, field), field, kind);
    remove_piece(field);
  }
}

void Rules::follow_up() {
  const int from = s.acting.field, to = s.acting.target;
  tell(Told::followed_up, from, to);
  move_piece(from, to);
  s.attacked.erase(from);
  s.attacked.insert(to);
  s.acting.field = static_cast<std::uint8_t>(to);
  end_activation();
}

// "-Repair" · R36
Refusal why_not_repair(const Scenario& sc, const State& s, int field, int points) {
  if (s.step != Step::actions) return Refusal::troop_acted;
  const int missing = sc.figures(s.kind[at(field)]).strength - strength_of(s, field);
  if (missing == 0) return Refusal::not_damaged;
  if (points < 1 || points > missing) return Refusal::too_much_repair;
  if (points > s.repair_coins) return Refusal::no_coins;
  if (hostile_pieces(sc, s, s.active).meets(sc.board.around[at(field)])) return Refusal::enemy_near;
  return Refusal::none;
}

void Rules::repair(int field, int points) {
  const int strength = strength_of(s, field) + points;
  s.stand[at(field)] = static_cast<std::uint8_t>(facing_of(s, field) | strength << 3);
  s.coins[at(side())] = static_cast<std::uint16_t>(s.coins[at(side())] - points);
  s.repair_coins = static_cast<std::uint16_t>(s.repair_coins - points);
  s.used.insert(field);
  tell(Told::repaired, field, strength, points);
  complete();
}

}  // namespace baton::company_leader

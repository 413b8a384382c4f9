#include "games/company_commander/knowledge.h"

#include "core/bits.h"

namespace baton::company_commander {
namespace {

// Deals the copies of each card kind to the groups in turn, lowest number first (see knowledge.h).
template <std::size_t N>
std::array<CardSet, N> canonical(const Scenario& sc, const std::array<CardSet, N>& groups) {
  std::array<CardSet, N> result = groups;
  CardSet dealt = 0;
  for (const CardSet group : groups) dealt |= group;
  for (const CardSet copies : sc.several_copies) {
    if ((dealt & copies) == 0) continue;
    CardSet left = copies;
    for (std::size_t i = 0; i < N; ++i) {
      CardSet held = groups[i] & copies;
      result[i] &= ~copies;
      for (; held != 0; held &= held - 1) {
        result[i] |= left & (~left + 1);
        left &= left - 1;
      }
    }
  }
  return result;
}

CardSet deal(CardSet from, int count, Chance& chance) {
  CardSet dealt = 0;
  for (; count > 0 && from != 0; --count) {
    const CardSet card = bit<CardSet>(pick_member(from, chance));
    dealt |= card;
    from &= ~card;
  }
  return dealt;
}

}  // namespace

// R80: hands are secret except what a recon showed; everything else is on the table.
Knowledge observe(const Scenario& sc, const State& s, Seat viewer) {
  Knowledge k(s);
  k.viewer = static_cast<std::uint8_t>(viewer);
  for (std::size_t seat = 0; seat < seat_count; ++seat) k.hand_size[seat] = static_cast<std::uint8_t>(std::popcount(s.hand[seat]));
  k.deck_size = static_cast<std::uint8_t>(std::popcount(s.deck));
  if (index(viewer) >= seat_count) {
    k.discard = canonical<1>(sc, {s.discard})[0];
    return k;
  }
  const auto own = static_cast<std::size_t>(index(viewer)), enemy = 1 - own;
  const auto cards = canonical<4>(sc, {s.seen[own], s.hand[own] & ~s.seen[own], s.seen[enemy], s.discard});
  k.seen = cards[0];
  k.hand = cards[0] | cards[1];
  k.enemy = cards[2];
  k.discard = cards[3];
  return k;
}

State imagine(const Scenario& sc, const Knowledge& k, Chance& chance) {
  State s;
  static_cast<Table&>(s) = k;
  s.discard = k.discard;
  CardSet unknown = sc.all_cards & ~k.discard & ~k.hand & ~k.enemy;
  if (k.viewer < seat_count) {
    const std::size_t own = k.viewer, enemy = 1 - own;
    s.hand[own] = k.hand;
    s.seen[own] = k.seen;
    s.seen[enemy] = k.enemy;
    s.hand[enemy] = k.enemy | deal(unknown, k.hand_size[enemy] - std::popcount(k.enemy), chance);
    unknown &= ~s.hand[enemy];
  } else {
    for (std::size_t seat = 0; seat < seat_count; ++seat) {
      s.hand[seat] = deal(unknown, k.hand_size[seat], chance);
      unknown &= ~s.hand[seat];
    }
  }
  s.deck = unknown;
  return s;
}

}  // namespace baton::company_commander

// What a game tells of itself so that it can be searched: what it must, and what it may.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "core/game.h"

namespace baton {

// A game that can be searched: it judges actions and positions.
// clang-format off
template <class G>
concept Searchable = Game<G> && requires(const typename G::Scenario& sc, const typename G::State& s, const typename G::Knowledge& k,
                                         Seat seat, const ActionList& legal, std::span<float> promises) {
  { G::promise(sc, k, legal, promises) };
  { G::worth(sc, s, seat) } -> std::same_as<float>;  // -1…1
  { G::turns(sc, s) } -> std::same_as<int>;          // never falls; one more with each turn of a seat
};
// clang-format on

// `static constexpr float impatience`: how much the game's `worth` can be relied on soon after a turn. Nothing said: not at all.
template <class G>
constexpr float impatience() {
  if constexpr (requires { G::impatience; }) return G::impatience;
  return 0;
}

// `static constexpr float sharpness`: how much is said by one more in its `promise`, whose unit is the game's own.
template <class G>
constexpr float sharpness() {
  if constexpr (requires { G::sharpness; }) return G::sharpness;
  return 2;
}

// `static constexpr int foresight`: how many turns of every seat it pays to look ahead; beyond them luck drowns what is gained. Nothing
// said: any number.
template <class G>
constexpr int foresight() {
  if constexpr (requires { G::foresight; }) return G::foresight;
  return 1000;
}

// `static double sober(sc, known, hoped)`: what a search hopes for is not what comes true against somebody as good, for it expects others
// to think less than it does. From the logarithm of the odds hoped for to that of the odds to expect, by games of searches with each
// other (docs/bots.md, "Chances"). Nothing said: the same. Where every line of `visits` ended alike, nothing is hoped: that is as sure as
// so many of them make it.
template <class G>
double sober_chance(const typename G::Scenario& sc, const typename G::Knowledge& known, double value, std::int64_t visits) {
  if (std::abs(value) > 1 - 1e-9) {
    const double other = 0.5 / (static_cast<double>(visits) + 1);
    return value > 0 ? 1 - other : other;
  }
  const double hoped = std::clamp((value + 1) / 2, 0.001, 0.999);
  double log_odds = std::log(hoped / (1 - hoped));
  if constexpr (requires { G::sober(sc, known, log_odds); }) log_odds = G::sober(sc, known, log_odds);
  return 1 / (1 + std::exp(-log_odds));
}

// `class Remembered` and `promise(sc, known, Remembered&, legal, promises)`: whoever judges one position after the other hands in the same
// `Remembered`. It may save time; what is promised must never depend on what came before.
struct NothingRemembered {};
template <class G>
struct RememberedType {
  using Type = NothingRemembered;
};
template <class G>
requires requires { typename G::Remembered; }
struct RememberedType<G> {
  using Type = typename G::Remembered;
};
template <class G>
using RememberedOf = typename RememberedType<G>::Type;

// `static void worthwhile(sc, s, seat, list)`: as `actions`, but it may leave out what is never the most promising, prudence included.
// Nothing said: all.
template <class G>
concept KnowsWhatIsWorthwhile = requires(const typename G::Scenario& sc, const typename G::State& s, Seat seat, ActionList& list) {
  G::worthwhile(sc, s, seat, list);
};

// How promising the legal actions look: to a seat that goes for the next gain, or with prudence to one that is no fool.
template <Searchable G>
void judge(const typename G::Scenario& sc, const typename G::Knowledge& known, bool prudence, RememberedOf<G>& remembered,
           const ActionList& legal, std::vector<float>& promises) {
  promises.resize(legal.size());
  if constexpr (requires { typename G::Remembered; }) {
    G::promise(sc, known, remembered, legal, promises);
  } else {
    G::promise(sc, known, legal, promises);
  }
  if constexpr (requires { G::prudence(sc, known, legal, promises); }) {
    if (prudence) G::prudence(sc, known, legal, promises);
  }
}

}  // namespace baton

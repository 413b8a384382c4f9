// Lets the fuzzer play: its bytes choose scenario, options, actions and dice. Every promise that is cheap to check is checked.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "match/registry.h"

namespace baton {
namespace {

class ByteChance final : public Chance {
 public:
  ByteChance(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), left_(size) {}
  bool exhausted() const { return left_ == 0; }
  std::uint32_t next() {
    if (left_ == 0) return 0;
    --left_;
    return *bytes_++;
  }

 private:
  std::uint32_t draw(Draw, std::uint32_t bound) override { return (bound > 256 ? next() << 8 | next() : next()) % bound; }
  const std::uint8_t* bytes_;
  std::size_t left_;
};

void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

// All scenarios of a game with one option value changed each, loaded once.
template <Game G>
const std::vector<typename G::Scenario>& variants() {
  static const auto all = [] {
    std::vector<typename G::Scenario> list;
    for (const std::string& id : scenario_ids(G::id)) {
      const auto file = shipped_scenario(G::id, id);
      const auto load = [&](const OptionValues& options) {
        if (auto loaded = G::load(*file, options)) list.push_back(std::move(*loaded));
      };
      load({});
      for (const Option& option : G::options()) {
        for (const auto value : option.values) load({{std::string(option.name), std::string(value)}});
        if (option.type == Option::Type::flag) load({{std::string(option.name), option.standard == "true" ? "false" : "true"}});
        if (option.type == Option::Type::number)
          load({{std::string(option.name), std::to_string(std::min(option.most, option.least + 3))}});
      }
    }
    return list;
  }();
  return all;
}

template <Game G>
void play(ByteChance& bytes) {
  const auto& scenarios = variants<G>();
  const auto& sc = scenarios[bytes.next() % scenarios.size()];
  const int seats = static_cast<int>(G::seats(sc).size());
  Events silent = Events::unheard();
  auto state = G::start(sc, bytes, silent);
  ActionList legal, imagined_legal;
  for (int decision = 0; decision < 3000 && !bytes.exhausted(); ++decision) {
    const Seats choosing = G::choosing(sc, state);
    require(choosing.empty() == G::result(sc, state).over, "somebody chooses until the game is over");
    if (choosing.empty()) return;
    const Seat seat = choosing.front();
    legal.clear();
    G::actions(sc, state, seat, legal);
    require(!legal.empty(), "who chooses has a legal action");
    const std::uint32_t mode = bytes.next();
    if (mode % 8 == 0) {  // any action: refused, or listed
      const Action any{static_cast<std::uint16_t>(bytes.next() % 24), static_cast<std::uint16_t>(bytes.next()),
                       static_cast<std::uint16_t>(bytes.next()), static_cast<std::uint16_t>(bytes.next() % 4)};
      const bool listed = std::find(legal.begin(), legal.end(), any) != legal.end();
      require((G::why_not(sc, state, seat, any) == typename G::Refusal{}) == listed, "legal means listed");
    }
    if (mode == 1) {
      const Json saved = G::save(sc, state);
      const auto restored = G::restore(sc, saved);
      if (!restored) std::fprintf(stderr, "%s\n%s\n", restored.error().text().c_str(), saved.dump(1).c_str());
      require(restored.has_value() && *restored == state, "a saved position comes back");
    }
    if (mode % 8 == 2) {
      FastChance chance(mode);
      for (int viewer = 0; viewer < seats; ++viewer) {
        const auto known = G::observe(sc, state, Seat(static_cast<std::uint8_t>(viewer)));
        const auto imagined = G::imagine(sc, known, chance);
        require(G::observe(sc, imagined, Seat(static_cast<std::uint8_t>(viewer))) == known, "an imagined state looks the same");
      }
      const auto imagined = G::imagine(sc, G::observe(sc, state, seat), chance);
      imagined_legal.clear();
      G::actions(sc, imagined, seat, imagined_legal);
      require(std::equal(legal.begin(), legal.end(), imagined_legal.begin(), imagined_legal.end()),
              "own actions are the same in an imagined state");
    }
    Action chosen = legal[bytes.next() % legal.size()];
    for (std::size_t i = 0; gives_up<G>(chosen) && mode % 16 != 3; ++i) chosen = legal[i];  // or most games would end at once
    require(G::why_not(sc, state, seat, chosen) == typename G::Refusal{}, "a listed action is legal");
    G::apply(sc, state, seat, chosen, bytes, silent);
  }
}

template <class... Gs>
void play_one_of(TypeList<Gs...>, ByteChance& bytes) {
  const std::uint32_t which = bytes.next() % sizeof...(Gs);
  std::uint32_t i = 0;
  ((i++ == which ? play<Gs>(bytes) : void()), ...);
}

}  // namespace
}  // namespace baton

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  baton::ByteChance chance(bytes, size);
  baton::play_one_of(baton::Games{}, chance);
  return 0;
}

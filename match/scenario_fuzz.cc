// Scenario files as the fuzzer writes them: refused with a problem, or good enough to play.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "match/registry.h"

namespace baton {
namespace {

template <Game G>
void try_scenario(const std::string& text) {
  const auto loaded = G::load({"fuzz.toml", text}, {});
  if (!loaded) return;
  FastChance chance(text.size());
  Events silent = Events::unheard();
  auto state = G::start(*loaded, chance, silent);
  ActionList legal;
  for (int decision = 0; decision < 2000; ++decision) {
    const Seats choosing = G::choosing(*loaded, state);
    if (choosing.empty()) return;
    legal.clear();
    G::actions(*loaded, state, choosing.front(), legal);
    G::apply(*loaded, state, choosing.front(), any_action<G>(legal, chance), chance, silent);
  }
}

template <class... Gs>
void try_all(TypeList<Gs...>, const std::string& text) {
  (try_scenario<Gs>(text), ...);
}

}  // namespace
}  // namespace baton

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  baton::try_all(baton::Games{}, std::string(reinterpret_cast<const char*>(bytes), size));
  return 0;
}

// Every reader of this room takes any bytes: records, cases, positions and actions.
#include "match/case.h"
#include "match/test_game.h"
#include "match/typed_match.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace baton;
  using bluff::Bluff;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  static const bluff::Scenario scenario = *Bluff::load(bluff::two_seats, {});
  switch (bytes[0] % 5) {
    case 0:
      if (const auto record = read_record("fuzz", text)) {
        if (auto match = TypedMatch<Bluff>::load(*record)) (void)(*match)->seat_record(spectator);
      }
      break;
    case 1:
      if (const auto read = read_case("fuzz", text)) (void)run_case_of<Bluff>(*read, bluff::two_seats);
      break;
    case 2:
      if (const auto json = read_json(text, "fuzz")) {
        if (const auto state = Bluff::restore(scenario, *json)) {
          JsonText out;
          NothingReckoned nothing;
          write_view<Bluff>(scenario, *state, Seat{0}, nothing, out);
        }
      }
      break;
    case 3: (void)read_words<Bluff>(scenario, text); break;
    default:
      if (const auto json = read_json(text, "fuzz")) (void)read_action<Bluff>(scenario, *json);
      break;
  }
  return 0;
}

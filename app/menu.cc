// The menu: language, game, scenario, who plays which side, options, start.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/display.h"
#include "app/play.h"
#include "bots/player_kind.h"
#include "match/registry.h"
#include "table/thinkers.h"

namespace baton::app {
namespace {

std::string without_full_stop(std::string sentence) {
  for (const std::string_view stop : {".", "。"}) {
    if (sentence.ends_with(stop)) sentence.resize(sentence.size() - stop.size());
  }
  return sentence;
}

class Menu {
 public:
  explicit Menu(Terminal& terminal)
      : terminal_(terminal), paint_(terminal.colour), texts_(house_catalogue(game_ids().front(), locale_of(terminal.language))) {
    request_.locale = locale_of(terminal.language);
    request_.choice.game = game_ids().front();
    choose_game(request_.choice.game);
  }

  int run() {
    for (;;) {
      terminal_.clear();
      title();
      const auto chosen = pick("", main_entries());
      if (!chosen) return leave();
      const std::size_t i = *chosen, seats = seats_.size();
      if (i == 0) {
        play_now();
      } else if (i == 1) {
        choose_language();
      } else if (i == 2) {
        if (const auto game = pick(say("menu.choose-game"), game_names())) choose_game(game_ids()[*game]);
      } else if (i == 3) {
        const auto all = scenario_ids(request_.choice.game);
        if (const auto scenario = pick(say("menu.choose-scenario"), all)) choose_scenario(all[*scenario]);
      } else if (i < 4 + seats) {
        choose_player(i - 4);
      } else if (i == 4 + seats) {
        choose_option();
      } else if (i == 5 + seats) {
        resume();
      } else {
        return leave();
      }
    }
  }

 private:
  using Entries = std::vector<std::string>;
  using Lines = std::vector<std::string>;

  std::string say(std::string_view key, const Arguments& arguments = {}) const { return texts_.say(key, arguments); }

  void title() const {
    terminal_.line(paint_.bold(say("menu.title") + " · " + say("menu.subtitle")));
    terminal_.line();
    terminal_.line(paint_.bold(say("game.name")) + " · " + say("game.tagline"));
    for (const std::string& line : wrapped(say("game.summary"), std::clamp(terminal_.size().columns, 40, 100))) terminal_.line(line);
    terminal_.line();
  }

  Entries main_entries() const {
    Entries entries = {say("menu.start"), say("menu.language") + ": " + say("menu.language-name"),
                       say("menu.choose-game") + ": " + say("game.name"), say("menu.choose-scenario") + ": " + request_.choice.scenario};
    for (std::size_t i = 0; i < seats_.size(); ++i) entries.push_back(say("seat." + seats_[i]) + ": " + player_name(kinds_[i]));
    std::string changed;
    for (const auto& [name, value] : options_) changed += (changed.empty() ? "" : ", ") + name + " = " + value_name(value);
    entries.push_back(say("menu.options") + ": " + (changed.empty() ? say("menu.standard") : changed));
    entries.push_back(say("menu.resume"));
    entries.push_back(say("menu.quit"));
    return entries;
  }

  // Nothing at the end of the input, or when the person goes back with an empty line.
  std::optional<std::size_t> pick(const std::string& question, const Entries& entries) const {
    if (!question.empty()) terminal_.line(paint_.bold(question));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Lines lines = wrapped(fmt::format("{:>3} {}", i + 1, entries[i]), std::clamp(terminal_.size().columns, 40, 100), 4);
      lines.front() = paint_.bold(lines.front().substr(0, 3)) + lines.front().substr(3);
      for (const std::string& line : lines) terminal_.line(line);
    }
    for (;;) {
      const auto typed = terminal_.ask("> ");
      if (!typed) return std::nullopt;
      const std::string text = plain_input(*typed);
      if (text.empty() && question.empty()) continue;
      if (text.empty()) return std::nullopt;
      if (text == "quit") return question.empty() ? std::optional(entries.size() - 1) : std::nullopt;
      if (const auto number = whole_number("", text, 1, entries.size())) return *number - 1;
      terminal_.line(say("play.out-of-range", {{"count", static_cast<std::int64_t>(entries.size())}}));
    }
  }

  std::string player_name(std::string_view kind) const {
    return kind == "human" ? say("menu.person") : say("menu.computer", {{"level", say("menu.level-" + std::string(kind))}});
  }
  std::string value_name(const std::string& value) const {
    if (value == "true") return say("menu.on");
    if (value == "false") return say("menu.off");
    return texts_.has("option-value." + value) ? say("option-value." + value) : value;
  }
  Entries game_names() const {
    Entries names;
    for (const std::string& id : game_ids()) names.push_back(house_catalogue(id, request_.locale).say("game.name"));
    return names;
  }

  void choose_language() {
    const auto all = known_locales();
    Entries names;
    for (const std::string& locale : all) names.push_back(house_catalogue("", locale).say("menu.language-name"));
    if (const auto chosen = pick(say("menu.choose-language"), names)) {
      request_.locale = all[*chosen];
      texts_ = house_catalogue(request_.choice.game, request_.locale);
    }
  }

  void choose_game(const std::string& game) {
    request_.choice.game = game;
    texts_ = house_catalogue(game, request_.locale);
    options_.clear();
    choose_scenario(standard_scenario(game));
  }

  void choose_scenario(const std::string& scenario) {
    request_.choice.scenario = scenario;
    if (const auto chosen = chosen_game({request_.choice.game, scenario, {}})) seats_ = chosen->seats;
    kinds_.assign(seats_.size(), table::standard_level());
    if (!kinds_.empty()) kinds_[0] = "human";
  }

  void choose_player(std::size_t seat) {
    std::vector<std::string> kinds(player_kinds().begin(), player_kinds().end());
    kinds.insert(kinds.begin(), "human");
    Entries names;
    for (const std::string& kind : kinds) names.push_back(player_name(kind));
    if (const auto chosen = pick(say("menu.choose-player", {{"seat", say("seat." + seats_[seat])}}), names)) kinds_[seat] = kinds[*chosen];
  }

  void choose_option() {
    const auto known = options_of(request_.choice.game);
    if (!known) return;
    Entries names;
    for (const Option& option : *known) {
      const auto set = options_.find(option.name);
      const std::string value = set == options_.end() ? std::string(option.standard) : set->second;
      const std::string about = "option." + std::string(option.name);
      names.push_back(say("menu.option-line", {{"option", texts_.has(about) ? without_full_stop(say(about)) : std::string(option.name)},
                                               {"value", value_name(value)}}));
    }
    const auto chosen = pick(say("menu.choose-option"), names);
    if (!chosen) return;
    const Option& option = (*known)[*chosen];
    if (option.type == Option::Type::number) {
      const auto typed = terminal_.ask(say("menu.new-value", {{"values", fmt::format("{}–{}", option.least, option.most)}}) + " ");
      if (!typed || plain_input(*typed).empty()) return;  // back, as in every list
      set_option(option, plain_input(*typed), *known);
      return;
    }
    std::vector<std::string> values(option.values.begin(), option.values.end());
    if (option.type == Option::Type::flag) values = {"true", "false"};
    Entries said;
    for (const std::string& value : values) said.push_back(value_name(value));
    if (const auto value = pick(names[*chosen], said)) set_option(option, values[*value], *known);
  }

  void set_option(const Option& option, const std::string& value, const std::vector<Option>& known) {
    OptionValues tried = options_;
    tried[std::string(option.name)] = value;
    if (const auto fits = complete_options(known, tried); !fits) {
      terminal_.line(fits.error().text());
      terminal_.ask(say("play.press-enter") + " ");
      return;
    }
    options_ = std::move(tried);
    if (value == option.standard) options_.erase(std::string(option.name));
  }

  void play_now() {
    PlayRequest request = request_;
    for (std::size_t i = 0; i < seats_.size(); ++i) request.seats.push_back(seats_[i] + "=" + kinds_[i]);
    for (const auto& [name, value] : options_) request.choice.options.push_back(name + "=" + value);
    start(request);
  }

  void resume() {
    const auto file = terminal_.ask(say("menu.resume-file") + " ");
    if (!file || plain_input(*file).empty()) return;
    PlayRequest request;
    request.locale = request_.locale;
    request.resume = plain_input(*file);
    start(request);
  }

  void start(const PlayRequest& request) {
    play(request, terminal_);
    terminal_.ask(say("play.press-enter") + " ");
  }

  int leave() const {
    terminal_.line(say("play.farewell"));
    return exit_done;
  }

  Terminal& terminal_;
  Paint paint_;
  Catalogue texts_;
  PlayRequest request_;
  OptionValues options_;
  std::vector<std::string> seats_, kinds_;
};

}  // namespace

int run_menu(Terminal& terminal) { return Menu(terminal).run(); }

}  // namespace baton::app

// The legal actions of a seat as a numbered list that stays readable: what differs only in its last word shares a row.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/table_picture.h"
#include "match/match.h"

namespace baton::app {

class Choices {
 public:
  struct Choice {
    Action action;
    std::string words;  // as in the record: "assault rifle-1 left"
    std::string said;   // as people say it: "Assault the left with Rifle Squad 1"
    std::string last;   // what tells it from the others of its row: "left"
    std::size_t row = 0;
  };

  Choices(const Match& match, Seat seat, const Catalogue& texts);

  std::size_t size() const { return all_.size(); }
  const Choice& operator[](std::size_t i) const { return all_[i]; }

  // Whether the last one gives up the game. It is never among the others.
  bool ends_by_giving_up() const { return ends_by_giving_up_; }

  // The choice that was typed, by its words in the record or as it is said.
  std::optional<std::size_t> find(std::string_view typed) const;
  std::optional<std::size_t> find(Action action) const;

  // One row a group: "1 Deploy Rifle Squad 1 on the left   2 center   3 right", folded where it is longer than a line. Plain rows read as
  // sentences.
  struct Rows {
    Lines lines;
    std::vector<std::size_t> told;  // choices up to the end of each line
  };
  Rows rows(int columns, bool plain, const Paint& paint) const;
  // One line a choice.
  Lines every() const;

 private:
  std::vector<Choice> all_;
  bool ends_by_giving_up_ = false;
};

// What is asked: the game's own question for this moment, or a general one.
std::string question(const Match& match, Seat seat, const Catalogue& texts);

}  // namespace baton::app

// What a seat sees of the table, drawn for a screen or told in sentences. Each game has its own in tables/.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/display.h"
#include "match/match.h"

namespace baton::app {

using Lines = std::vector<std::string>;

class TablePicture {
 public:
  virtual ~TablePicture() = default;

  // `state` is the "state" of a view: nothing here knows more than the viewer.
  virtual Lines draw(const Json& state, const Catalogue& texts, int columns, const Paint& paint) const = 0;
  virtual Lines tell(const Json& state, const Catalogue& texts) const = 0;

  // What the viewer holds, each with what it does. May be empty.
  virtual Lines holdings(const Json& state, const Catalogue& texts) const = 0;

  // What there is to see of one thing on the table, as it is typed: a field, a unit. Empty when there is no such thing.
  virtual Lines look(const Json& state, const Catalogue& texts, const std::string& what, int columns, const Paint& paint,
                     bool plain) const = 0;

  // Changes whenever the table is worth telling anew.
  virtual std::string chapter(const Json& state) const = 0;
};

std::unique_ptr<TablePicture> picture_of(const Match& match);

}  // namespace baton::app

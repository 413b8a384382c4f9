// How long players thought: as JSON and in words.
#pragma once

#include <string>

#include "bots/thoughts.h"
#include "core/game.h"

namespace baton::app {

// {"choices","seconds","longest"}
Json thinking_json(const ThinkingTime& thinking);
// Of what thinking_json made; throws Json::exception for anything else.
ThinkingTime thinking_from(const Json& json);

// "2.31 s over 120 choices: 19 ms each, 310 ms at most"
std::string thinking_words(const ThinkingTime& thinking);

}  // namespace baton::app

#!/usr/bin/env python3
"""A first bot: attacks where it can, never surrenders, and otherwise chooses at random.

    baton arena company-commander --a "exec:python3 bots/examples/first_bot.py" --b random
"""
import json
import random
import sys

EAGER = {"assault", "suppress", "fire", "shoot"}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        random.seed(message["seat"])
    elif message["type"] == "choose":
        actions = [action for action in message["view"]["actions"] if action["do"] != "surrender"]
        attacks = [action for action in actions if action["do"] in EAGER]
        print(json.dumps({"action": random.choice(attacks or actions)}), flush=True)
    elif message["type"] == "end":
        break

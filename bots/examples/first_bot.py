#!/usr/bin/env python3
"""A first bot: prefers doing something over ending the phase, and otherwise chooses at random.

    baton arena company-commander --a "exec:python3 bots/examples/first_bot.py" --b random
"""
import json
import random
import sys

RESTING = {"pass", "done"}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        random.seed(message["seat"])
    elif message["type"] == "choose":
        actions = [action for action in message["view"]["actions"] if action["do"] != "surrender"]
        active = [action for action in actions if action["do"] not in RESTING]
        print(json.dumps({"action": random.choice(active or actions)}), flush=True)
    elif message["type"] == "end":
        break

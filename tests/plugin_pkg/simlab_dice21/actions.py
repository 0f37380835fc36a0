"""The numbered actions of Dice 21 and their words."""

ROLL, STOP = 0, 1
WORDS = ("roll", "stop")

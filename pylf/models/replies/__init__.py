"""Reading what models say: the text of a reply to what was asked for, without ever running any of it.

``thinking`` leaves out what a model thought aloud; ``fences`` finds blocks of code; ``tidy`` puts straight quotes in
the place of printed ones and drops list markers; ``expressions`` finds balanced expressions in prose; ``candidates``
puts these into an order; ``taking`` takes the first that a caller's own function can read, or says why there is none.
``strict_json`` and ``sparql`` are such functions.
"""

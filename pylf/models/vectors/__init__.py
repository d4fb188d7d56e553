"""Indexes of names: which of many texts are most like this one.

``hit`` is what is found; ``store`` keeps vectors, keys and what they are of in a folder, ``index`` searches them
(``nearest``: all of them; ``cells``: the likeliest parts of very many); ``postings`` is the index of the lexical
encoder, of the standard library alone; ``opening`` chooses.
"""

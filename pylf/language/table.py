"""The LALR(1) tables of grammars/pylf.lark, worked out by Lark.

Written by ``python -m pylf.language.lark_tables``, to be read by :mod:`pylf.language.lalr`; not to be edited.
"""

from __future__ import annotations

# fmt: off
FILE = "pylf.lark"
START = "program"
GRAMMAR = 3593142592
TERMINALS = {
    "NEWLINE": "(?:[ \t\f]*(?:[\r\n]|#[^\r\n]*))+",
    "STRING": "'[^'\\\\\r\n]*(?:\\\\(?:\r\n|[\\s\\S])[^'\\\\\r\n]*)*'|\"[^\"\\\\\r\n]*(?:\\\\(?:\r\n|[\\s\\S])["
     '^"\\\\\r\n]*)*"',
    "NAME": "[^\\W\\d]\\w*",
    "NUMBER": "[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?",
    "SPACE": "[ \t\f]+|\\\\(?:\r\n?|\n)",
    "SEMICOLON": ";",
    "EQUAL": "=",
    "LPAR": "\\(",
    "RPAR": "\\)",
    "COMMA": ",",
    "LSQB": "\\[",
    "RSQB": "\\]",
    "LBRACE": "\\{",
    "RBRACE": "\\}",
    "COLON": ":",
}
IGNORED: tuple[str, ...] = ("SPACE",)
PRODUCTIONS: tuple[tuple[int, str | None, str], ...] = (
    (0, "nothing", "program"),
    (1, "first", "arguments"),
    (1, "first", "pairs"),
    (1, "first", "values"),
    (1, "nothing", "program"),
    (1, None, "value"),
    (2, "bare", "statement"),
    (2, "extend", "program"),
    (2, "mapping", "mapping"),
    (2, "sequence", "sequence"),
    (3, "append", "arguments"),
    (3, "append", "pairs"),
    (3, "append", "values"),
    (3, "bare", "statement"),
    (3, "call", "call"),
    (3, "group", "value"),
    (3, "keyword", "keyword"),
    (3, "mapping", "mapping"),
    (3, "pair", "pair"),
    (3, "sequence", "sequence"),
    (4, "assignment", "statement"),
    (4, "call", "call"),
    (4, "mapping", "mapping"),
    (4, "sequence", "sequence"),
    (5, "assignment", "statement"),
    (5, "call", "call"),
)
STATES: tuple[dict[str, int], ...] = (
    {"$END": -1, "LBRACE": -1, "LPAR": -1, "LSQB": -1, "NAME": -1, "NEWLINE": 1, "NUMBER": -1, "STRING": -1,
     "program": 2},
    {"$END": -5, "LBRACE": -5, "LPAR": -5, "LSQB": -5, "NAME": -5, "NUMBER": -5, "STRING": -5},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 6, "NUMBER": 7, "STRING": 8, "call": 9, "mapping": 10, "sequence":
     11, "statement": 12, "value": 13},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 14, "NUMBER": 7, "RBRACE": 15, "STRING": 8, "call": 9, "mapping":
     10, "pair": 16, "pairs": 17, "sequence": 11, "value": 18},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 14, "NUMBER": 7, "STRING": 8, "call": 9, "mapping": 10, "sequence":
     11, "value": 19},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 14, "NUMBER": 7, "RSQB": 20, "STRING": 8, "call": 9, "mapping": 10,
     "sequence": 11, "value": 21, "values": 22},
    {"EQUAL": 23, "LPAR": 24, "NEWLINE": -6, "SEMICOLON": -6},
    {"COLON": -6, "COMMA": -6, "NEWLINE": -6, "RBRACE": -6, "RPAR": -6, "RSQB": -6, "SEMICOLON": -6},
    {"COLON": -6, "COMMA": -6, "NEWLINE": -6, "RBRACE": -6, "RPAR": -6, "RSQB": -6, "SEMICOLON": -6},
    {"COLON": -6, "COMMA": -6, "NEWLINE": -6, "RBRACE": -6, "RPAR": -6, "RSQB": -6, "SEMICOLON": -6},
    {"COLON": -6, "COMMA": -6, "NEWLINE": -6, "RBRACE": -6, "RPAR": -6, "RSQB": -6, "SEMICOLON": -6},
    {"COLON": -6, "COMMA": -6, "NEWLINE": -6, "RBRACE": -6, "RPAR": -6, "RSQB": -6, "SEMICOLON": -6},
    {"$END": -8, "LBRACE": -8, "LPAR": -8, "LSQB": -8, "NAME": -8, "NUMBER": -8, "STRING": -8},
    {"NEWLINE": 25, "SEMICOLON": 26},
    {"COLON": -6, "COMMA": -6, "LPAR": 24, "NEWLINE": -6, "RBRACE": -6, "RPAR": -6, "RSQB": -6, "SEMICOLON": -6},
    {"COLON": -9, "COMMA": -9, "NEWLINE": -9, "RBRACE": -9, "RPAR": -9, "RSQB": -9, "SEMICOLON": -9},
    {"COMMA": -3, "RBRACE": -3},
    {"COMMA": 27, "RBRACE": 28},
    {"COLON": 29},
    {"RPAR": 30},
    {"COLON": -10, "COMMA": -10, "NEWLINE": -10, "RBRACE": -10, "RPAR": -10, "RSQB": -10, "SEMICOLON": -10},
    {"COMMA": -4, "RSQB": -4},
    {"COMMA": 31, "RSQB": 32},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 14, "NUMBER": 7, "STRING": 8, "call": 9, "mapping": 10, "sequence":
     11, "value": 33},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 34, "NUMBER": 7, "RPAR": 35, "STRING": 8, "arguments": 36, "call":
     9, "keyword": 37, "mapping": 10, "sequence": 11, "value": 38},
    {"$END": -7, "LBRACE": -7, "LPAR": -7, "LSQB": -7, "NAME": -7, "NUMBER": -7, "STRING": -7},
    {"$END": -7, "LBRACE": -7, "LPAR": -7, "LSQB": -7, "NAME": -7, "NEWLINE": 39, "NUMBER": -7, "STRING": -7},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 14, "NUMBER": 7, "RBRACE": 40, "STRING": 8, "call": 9, "mapping":
     10, "pair": 41, "sequence": 11, "value": 18},
    {"COLON": -18, "COMMA": -18, "NEWLINE": -18, "RBRACE": -18, "RPAR": -18, "RSQB": -18, "SEMICOLON": -18},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 14, "NUMBER": 7, "STRING": 8, "call": 9, "mapping": 10, "sequence":
     11, "value": 42},
    {"COLON": -16, "COMMA": -16, "NEWLINE": -16, "RBRACE": -16, "RPAR": -16, "RSQB": -16, "SEMICOLON": -16},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 14, "NUMBER": 7, "RSQB": 43, "STRING": 8, "call": 9, "mapping": 10,
     "sequence": 11, "value": 44},
    {"COLON": -20, "COMMA": -20, "NEWLINE": -20, "RBRACE": -20, "RPAR": -20, "RSQB": -20, "SEMICOLON": -20},
    {"NEWLINE": 45, "SEMICOLON": 46},
    {"COMMA": -6, "EQUAL": 47, "LPAR": 24, "RPAR": -6},
    {"COLON": -15, "COMMA": -15, "NEWLINE": -15, "RBRACE": -15, "RPAR": -15, "RSQB": -15, "SEMICOLON": -15},
    {"COMMA": 48, "RPAR": 49},
    {"COMMA": -2, "RPAR": -2},
    {"COMMA": -2, "RPAR": -2},
    {"$END": -14, "LBRACE": -14, "LPAR": -14, "LSQB": -14, "NAME": -14, "NUMBER": -14, "STRING": -14},
    {"COLON": -23, "COMMA": -23, "NEWLINE": -23, "RBRACE": -23, "RPAR": -23, "RSQB": -23, "SEMICOLON": -23},
    {"COMMA": -12, "RBRACE": -12},
    {"COMMA": -19, "RBRACE": -19},
    {"COLON": -24, "COMMA": -24, "NEWLINE": -24, "RBRACE": -24, "RPAR": -24, "RSQB": -24, "SEMICOLON": -24},
    {"COMMA": -13, "RSQB": -13},
    {"$END": -21, "LBRACE": -21, "LPAR": -21, "LSQB": -21, "NAME": -21, "NUMBER": -21, "STRING": -21},
    {"$END": -21, "LBRACE": -21, "LPAR": -21, "LSQB": -21, "NAME": -21, "NEWLINE": 50, "NUMBER": -21, "STRING":
     -21},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 14, "NUMBER": 7, "STRING": 8, "call": 9, "mapping": 10, "sequence":
     11, "value": 51},
    {"LBRACE": 3, "LPAR": 4, "LSQB": 5, "NAME": 34, "NUMBER": 7, "RPAR": 52, "STRING": 8, "call": 9, "keyword": 53,
     "mapping": 10, "sequence": 11, "value": 54},
    {"COLON": -22, "COMMA": -22, "NEWLINE": -22, "RBRACE": -22, "RPAR": -22, "RSQB": -22, "SEMICOLON": -22},
    {"$END": -25, "LBRACE": -25, "LPAR": -25, "LSQB": -25, "NAME": -25, "NUMBER": -25, "STRING": -25},
    {"COMMA": -17, "RPAR": -17},
    {"COLON": -26, "COMMA": -26, "NEWLINE": -26, "RBRACE": -26, "RPAR": -26, "RSQB": -26, "SEMICOLON": -26},
    {"COMMA": -11, "RPAR": -11},
    {"COMMA": -11, "RPAR": -11},
)
END = 2

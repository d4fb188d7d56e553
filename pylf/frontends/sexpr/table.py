"""The LALR(1) tables of grammars/sexpr.lark, worked out by Lark.

Written by ``python -m pylf.language.lark_tables``, to be read by :mod:`pylf.language.lalr`; not to be edited.
"""

from __future__ import annotations

# fmt: off
FILE = "sexpr.lark"
START = "text"
GRAMMAR = 4243309629
TERMINALS = {
    "WORD": '(?:(?:[^\\W\\d]|:)(?:[^\\s\x00-\x1f\x7f()"<>^@]*[^\\s\x00-\x1f\x7f()"<>^@,;])?(?:(?:\\^\\^(?:<'
     "[^\u0000- <>\"'{}|^`\\\\]+>|[^\\s\u0000-\u001f\u007f()\"'<>^"
     "]*[^\\s\u0000-\u001f\u007f()\"'<>^,;])|@[A-Za-z]+(?:" "-[A-Za-z0-9]+)*))?|(?:[<>]=?|!=|==?))(?![^\\s()])",
    "VALUE": '[+-]*\\.?[0-9](?:[^\\s\x00-\x1f\x7f()"<>^@]*[^\\s\x00-\x1f\x7f()"<>^@,;])?(?:(?:\\^\\^(?:<[^\x00'
     "- <>\"'{}|^`\\\\]+>|[^\\s\u0000-\u001f\u007f()\"'<>^]*[^\\s\u0000-\u001f\u007f()\"'<>^,;])|@[A-Za-z]+(?:-[A"
     "-Za-z0-9]+)*))?(?![^\\s()])",
    "STRING": "(?:\"[^\"\\\\\r\n]*(?:\\\\[^\r\n][^\"\\\\\r\n]*)*\"|'[^'\\\\\r\n]*(?:\\\\[^\r\n][^'\\\\\r\n]*)*')("
     "?:(?:\\^\\^(?:<[^\u0000- <>\"'{}|^`\\\\]+>|[^"
     "\\s\u0000-\u001f\u007f()\"'<>^]*[^\\s\u0000-\u001f\u007f()\"'<>^,;])|"
     "@[A-Za-z]+(?:-[A-Za-z0-9]+)*))?(?![^\\s()])",
    "IRI": '<[^\x00- <>"{}|^`\\\\]+>(?![^\\s()])',
    "SPACE": "\\s+",
    "RPAR": "\\)",
    "LPAR": "\\(",
}
IGNORED: tuple[str, ...] = ("SPACE",)
PRODUCTIONS: tuple[tuple[int, str | None, str], ...] = (
    (1, "begin", "open"),
    (1, None, "text"),
    (2, "add", "open"),
    (2, "form", "form"),
)
STATES: tuple[dict[str, int], ...] = (
    {"IRI": 1, "LPAR": 2, "STRING": 3, "VALUE": 4, "WORD": 5, "form": 6, "open": 7, "text": 8},
    {"$END": -2},
    {"IRI": -1, "LPAR": -1, "RPAR": -1, "STRING": -1, "VALUE": -1, "WORD": -1},
    {"$END": -2},
    {"$END": -2},
    {"$END": -2},
    {"$END": -2},
    {"IRI": 9, "LPAR": 2, "RPAR": 10, "STRING": 11, "VALUE": 12, "WORD": 13, "form": 14, "open": 7},
    {},
    {"IRI": -3, "LPAR": -3, "RPAR": -3, "STRING": -3, "VALUE": -3, "WORD": -3},
    {"$END": -4, "IRI": -4, "LPAR": -4, "RPAR": -4, "STRING": -4, "VALUE": -4, "WORD": -4},
    {"IRI": -3, "LPAR": -3, "RPAR": -3, "STRING": -3, "VALUE": -3, "WORD": -3},
    {"IRI": -3, "LPAR": -3, "RPAR": -3, "STRING": -3, "VALUE": -3, "WORD": -3},
    {"IRI": -3, "LPAR": -3, "RPAR": -3, "STRING": -3, "VALUE": -3, "WORD": -3},
    {"IRI": -3, "LPAR": -3, "RPAR": -3, "STRING": -3, "VALUE": -3, "WORD": -3},
)
END = 8

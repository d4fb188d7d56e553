"""A name without what people write in different ways: case, accents, punctuation, blanks, an article before it."""

from __future__ import annotations

import re
import unicodedata

#: signs between words; those behind a letter or digit that tell it from another name belong to it: C++, C#
_APART = re.compile(r"(?:(?!(?<=\w)(?:\+\+|#)(?!\w))(?!(?<=\w\+)\+(?!\w))[\W_])+")
_ARTICLE = re.compile(r"(?:the|an?) (?=.)")
#: characters of a name that count
LONGEST = 500


def sound(text: str) -> str:
    """The text with a sign in the place of half pairs of surrogates, which no file holds."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def folded(name: str) -> str:
    """The name in small letters, one blank between its words. A name of signs alone stays as it is."""
    name = sound(name[:LONGEST])
    plain = name.lower() if name.isascii() else _plain(name)
    words = _APART.sub(" ", plain.replace("'", "")).strip()
    return _ARTICLE.sub("", words, count=1) if words[:1] in "at" and _ARTICLE.match(words) else words or name.strip()


def _plain(name: str) -> str:
    """In small letters, without accents. Letters that are no Latin, Greek or Cyrillic ones keep their marks, which
    belong to them."""
    decomposed = unicodedata.normalize("NFKD", name.casefold().replace("\u2019", ""))
    kept = "".join([c for c in decomposed if not "\u0300" <= c <= "\u036f"])
    return unicodedata.normalize("NFC", kept)

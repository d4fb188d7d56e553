"""Renderings for people: a sentence, a picture, a notebook cell."""

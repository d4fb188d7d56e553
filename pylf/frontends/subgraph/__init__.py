"""Subgraphs of uncertain graphs: neighbourhoods and paths with confidence, as DoG searches them (2607.17266)."""

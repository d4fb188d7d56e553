"""SPARQL endpoints over HTTP: what one is (``endpoint``), and asking it (``client``)."""

"""Prefixes that texts use without declaring them, as the endpoints that they are written for allow."""

from __future__ import annotations

FREEBASE = "http://rdf.freebase.com/ns/"

_WIKIDATA = "http://www.wikidata.org/"
_DBPEDIA = "http://dbpedia.org/"
_GEOSPARQL = "http://www.opengis.net/"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_XSD = "http://www.w3.org/2001/XMLSchema#"

#: What Wikidata's query service declares of itself, then what others do; where they differ (``geo``), Wikidata's.
WELL_KNOWN: dict[str, str] = {
    "wd": f"{_WIKIDATA}entity/",
    "wdt": f"{_WIKIDATA}prop/direct/",
    "wdtn": f"{_WIKIDATA}prop/direct-normalized/",
    "wds": f"{_WIKIDATA}entity/statement/",
    "wdv": f"{_WIKIDATA}value/",
    "wdref": f"{_WIKIDATA}reference/",
    "wdata": f"{_WIKIDATA}wiki/Special:EntityData/",
    "wdno": f"{_WIKIDATA}prop/novalue/",
    "p": f"{_WIKIDATA}prop/",
    "ps": f"{_WIKIDATA}prop/statement/",
    "psv": f"{_WIKIDATA}prop/statement/value/",
    "psn": f"{_WIKIDATA}prop/statement/value-normalized/",
    "pq": f"{_WIKIDATA}prop/qualifier/",
    "pqv": f"{_WIKIDATA}prop/qualifier/value/",
    "pqn": f"{_WIKIDATA}prop/qualifier/value-normalized/",
    "pr": f"{_WIKIDATA}prop/reference/",
    "prv": f"{_WIKIDATA}prop/reference/value/",
    "prn": f"{_WIKIDATA}prop/reference/value-normalized/",
    "wikibase": "http://wikiba.se/ontology#",
    "bd": "http://www.bigdata.com/rdf#",
    "bds": "http://www.bigdata.com/rdf/search#",
    "hint": "http://www.bigdata.com/queryHints#",
    "gas": "http://www.bigdata.com/rdf/gas#",
    "mwapi": "https://www.mediawiki.org/ontology#API/",
    "mediawiki": "https://www.mediawiki.org/ontology#",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "cc": "http://creativecommons.org/ns#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": _RDF,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": _XSD,
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
    "geo": f"{_GEOSPARQL}ont/geosparql#",
    "geof": f"{_GEOSPARQL}def/function/geosparql/",
    "geof-spatial": f"{_GEOSPARQL}def/function/geosparql/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dct": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "fn": "http://www.w3.org/2005/xpath-functions#",
    "dbo": f"{_DBPEDIA}ontology/",
    "dbr": f"{_DBPEDIA}resource/",
    "dbp": f"{_DBPEDIA}property/",
    "dbc": f"{_DBPEDIA}resource/Category:",
    "dbd": f"{_DBPEDIA}datatype/",
    "dbt": f"{_DBPEDIA}resource/Template:",
    "dbpedia": f"{_DBPEDIA}resource/",
    "dbpedia-owl": f"{_DBPEDIA}ontology/",
    "dbpprop": f"{_DBPEDIA}property/",
    "yago": f"{_DBPEDIA}class/yago/",
    "ns": FREEBASE,
    "fb": FREEBASE,
    "key": "http://rdf.freebase.com/key/",
}

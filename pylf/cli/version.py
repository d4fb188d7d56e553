"""``pylf --version -v``: this version, and which of the libraries that pylf can use are installed."""

from __future__ import annotations

#: Distribution and what it serves.
_LIBRARIES = {
    "lark": "parsing",
    "pyoxigraph": "the embedded engine",
    "rdflib": "the compatibility engine",
    "SPARQLWrapper": "HTTP endpoints",
    "sympy": "interval reasoning",
    "hypothesis": "property tests",
}


def print_version(verbose: bool) -> int:
    """Print the version; with ``verbose`` a line for each library."""
    import pylf

    print(f"pylf {pylf.__version__}")
    if verbose:
        import platform
        from importlib.metadata import PackageNotFoundError, version

        print(f"Python {platform.python_version()}")
        for name, use in _LIBRARIES.items():
            try:
                found = version(name)
            except PackageNotFoundError:
                found = "not installed"
            print(f"{name} {found} ({use})")
    return 0

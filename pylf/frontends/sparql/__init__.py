"""SPARQL queries as a form of question: read into the IR, core where they have its shape, wide where they need it."""

"""What tests of programs and passes need, public for users' own.

:mod:`pylf.testing.denotation` gives a program's answers straight from the language's definition, without the IR: what
is compiled can be held against it. The other modules make random programs, graphs and queries to do so with.
"""

"""Tests of what needs no debugger: python3 -m unittest, in the folder above. What the debuggers show of real programs
is tested by test/languages, and what the recorders note by the tests of package native."""

"""`python -m simlab` is the command line."""

from simlab.cli import main

main()

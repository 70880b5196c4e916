"""`python -m ttr_sim`, the same as the command `ttr-sim`."""

from ttr_sim.cli.main import main

run = main  # the entry point of the installed command

if __name__ == "__main__":
    run()

"""`python -m ttr_sim`, the same as the command `ttr-sim`."""

from ttr_sim.cli.main import main

if __name__ == "__main__":
    main()

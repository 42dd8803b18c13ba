"""`python -m bridgelaws`."""

from bridgelaws.cli import main

if __name__ == "__main__":
    main()

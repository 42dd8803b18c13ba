"""The law as a book: static pages of every clause with its history, its rules in sentences and its cases."""

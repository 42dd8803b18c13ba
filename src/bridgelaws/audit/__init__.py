"""Follow records of play card by card, and find what was irregular in them."""

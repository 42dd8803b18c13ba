"""What can become of a claim: every way in which a short ending can be played."""

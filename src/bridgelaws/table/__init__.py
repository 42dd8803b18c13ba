"""What happened at the table: what a Director typed, as typed facts."""

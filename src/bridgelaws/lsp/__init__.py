"""What an editor asks about the files of the law while somebody types; only `server` knows the protocol."""

"""What ``demo`` plays: a table of three with real keys, and scenes at it, honest and not."""

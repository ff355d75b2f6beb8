"""Records become text, JSON, Markdown or paths here; nothing in this package reads or writes anything."""

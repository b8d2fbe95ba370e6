"""What an editor wants to know of a spec: problems, meanings, completions, definitions, formatting. No page and no protocol is in here."""

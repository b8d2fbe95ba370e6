"""Tables of games and pairs of rulesets → pages and lists that people read."""

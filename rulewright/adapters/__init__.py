"""Games of ours → the interfaces that people who train and measure already use; each needs its package, an extra."""

"""A plan of games → its rows, played by as many processes and machines as there are: the same rows as one process gives.

What is played depends on the plan alone, so whoever plays a unit of it, and how often, changes nothing. All that a run needs to go
on after any of its processes was killed is a folder with the units that are done.
"""

"""The parts of rondo-scale; each file has one idea, and says it in its first lines.

commands.py puts them together.
"""

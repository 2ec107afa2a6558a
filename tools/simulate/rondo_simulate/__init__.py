"""The modules of rondo-simulate. What they share with rondo-scale is imported from there.

Each file has one idea; begin with commands.py.
"""

// Nothing: the target that it is of has a precompiled header, and needs a source.

"""Measure the guide's benchmark programs on the GPU of this machine, and record what holds up."""

"""Scheduler twins: the real scheduler, set up as one cluster, to judge job scripts on this machine."""

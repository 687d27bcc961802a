"""A recorder: what is asked of a run, and what is noted of it. See recorder."""

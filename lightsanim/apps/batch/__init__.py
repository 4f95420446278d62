"""Batches: make the animations of a manifest, with workers on this machine or on a cluster."""

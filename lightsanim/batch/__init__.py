"""Batches: the animations of a manifest, made by workers on this machine or on a cluster."""

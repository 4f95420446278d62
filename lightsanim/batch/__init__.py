"""Many animations: a manifest, and workers on this machine or on a cluster."""

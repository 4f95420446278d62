"""Many animations: a manifest, workers here or on a cluster, and a gallery of the results."""

"""The commands of the command line that are more than a call of the pipeline."""

"""Programs on top of the pipeline: batches, galleries, the studio, lessons, puzzles, previews."""

"""Words that name a picture in place of a path, such as ``sample:face``: a file for each kind."""

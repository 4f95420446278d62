"""The studio: a web page for making animations, and the local server behind it.

- run: start and stop the server; open the browser
- guard: access control by URL token, Host and Origin headers; limit on concurrent requests
- server: one handler for each request of the page
- requests: request bodies and error responses
- request_options: parse a request into pictures, settings, theme and outputs
- option_form: the option table as JSON, for the page's form
- snippets: the command, the Python code and the manifest entry that make a film
- album: uploaded pictures, in a temporary folder
- job_queue: worker processes and named lanes; a new job stops the older job of its lane
- worker: the jobs of a worker process: make thumbnails, targets, films and output files
- saves: films that are being written to files, and their progress
- work_file: a whole project (pictures and page state) as one zip file
"""

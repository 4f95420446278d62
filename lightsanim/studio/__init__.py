"""The studio: a web page for making animations, and the local server behind it.

- run: start and stop the server; open the browser
- guard: access control: URL token, Host and Origin headers, concurrent requests
- server: one handler for each request of the page
- requests: request bodies and error responses
- request_options: parse a request into pictures, settings, theme and outputs
- option_form: the option table as JSON, for the page's form
- snippets: the command, the Python code and the manifest entry that make a film
- album: uploaded pictures, in a temporary folder
- job_queue: worker processes; a newer job of a lane cancels the one before
- worker: the jobs that run in a worker process: thumbnails, targets, films, files
- saves: films being written to files, and their progress
- work_file: a whole project (pictures and page state) as one zip file
"""

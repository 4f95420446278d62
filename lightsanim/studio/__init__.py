"""The page on which animations are made, and the server of this machine that it talks to.

- run: the command: a socket on loopback, the server, the browser
- guard: who may ask for what: path, Host, Origin, how much at once
- server: the answers to the page's requests
- requests: what comes with a request, and what is answered to one that cannot be done
- request_options: what a request asks for: pictures with their own options, settings, look
- option_form: the options as the page draws them, from the table of options
- snippets: the command line, the Python and the manifest entry of a film
- album: the pictures that were dropped, in a folder that goes away
- job_queue: processes that do the work, a spare beside them; what is out of date is stopped
- worker: what such a process does: targets, films, files
- saves: films being written, and how far they are
- work_file: the whole work as one file
"""

"""The HTTP routes of the studio, and the handlers of their requests."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import Coroutine
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from lightsanim.errors import LightsAnimError, OptionError
from lightsanim.options.choices import SAMPLE_PREFIX
from lightsanim.options.outputs import Outputs
from lightsanim.pictures.words.sample import SampleWord
from .album import MAX_PICTURES, Album, Upload, read_chunks
from .guard import MAKER_POLICY, PLAYER_POLICY
from .job_queue import GRACE_SECONDS, Answer, Lane, LatestJobQueue
from .jobs import (
    describe_file,
    draw_example,
    draw_target,
    draw_thumbnail,
    make_film,
    save_film,
)
from .option_form import build_form, is_illustrated
from .request_options import (
    INVALID_STATUSES,
    PLAYER,
    SOLUTION,
    FilmFacts,
    FilmRequest,
    parse_film_request,
    parse_outputs,
    parse_seconds,
    parse_whole_number,
)
from .requests import MAX_FILE_BYTES, RefusedError, read_body, read_json, to_refusal
from .saves import SaveJob, SaveJobs
from .work_file import MAX_STATE_BYTES, read_work_file, write_work_file

PAGE = Path(__file__).parent / "static" / "index.html"
# Some systems register other types for scripts, so these are not guessed.
BUNDLES = {"studio.js": "text/javascript", "studio.css": "text/css"}
# Time limits of jobs, in seconds.
OPEN_TIMEOUT = 60.0
DRAW_TIMEOUT = 60.0
FILM_TIMEOUT = 900.0
SAVE_TIMEOUT = 3600.0
MAX_FILMS = 8  # Maximum number of solved films kept on disk.
REVALIDATED = {"Cache-Control": "no-cache"}
DAY_CACHE = {"Cache-Control": "private, max-age=86400"}


@dataclass
class Studio:
    """The state of the server, and its request handlers."""

    album: Album
    jobs: LatestJobQueue
    saves: SaveJobs
    seed: int = field(default_factory=lambda: secrets.randbelow(10**6))  # Default of requests.

    # `FilmRequest.solve_key` of the most recent films by id, or None for drafts.
    films: dict[str, str | None] = field(default_factory=dict)
    state: bytes = b"null"  # JSON of the page's state: pictures, options, chosen formats.
    opening_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    examples: dict[tuple[str, str], bytes] = field(default_factory=dict)  # PNG by option and value
    # Progress of the films being solved, by page id and slot (A or B).
    progress: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    startup_task: "asyncio.Task[None] | None" = None

    async def get_page(self, request: Request) -> Response:
        """Serve the page."""
        # `FileResponse` would need several threads.
        return HTMLResponse(PAGE.read_bytes(), headers=REVALIDATED)

    async def get_bundle(self, request: Request) -> Response:
        """Serve the page's script or its style sheet."""
        name = request.path_params["name"]
        if name not in BUNDLES:
            raise RefusedError("there is no such file", 404)
        from lightsanim.web.templating import load_bundle

        return Response(load_bundle(name), media_type=BUNDLES[name], headers=REVALIDATED)

    async def get_maker(self, request: Request) -> Response:
        """Serve the maker, a page that makes films in the browser alone."""
        from lightsanim.apps.teaching.maker import maker_page

        headers = {"Content-Security-Policy": MAKER_POLICY}
        return HTMLResponse(await asyncio.to_thread(maker_page, "./"), headers=headers)

    async def get_sample(self, request: Request) -> Response:
        """Serve a sample picture."""
        try:
            content = SampleWord(f"{SAMPLE_PREFIX}{request.path_params['name']}").content
        except OptionError as error:
            raise RefusedError(str(error), 404) from error
        return Response(content, media_type="image/webp", headers=DAY_CACHE)

    async def get_options(self, request: Request) -> Response:
        """Serve the option table and the limits on uploads."""
        limits = {"upload": MAX_FILE_BYTES, "pictures": MAX_PICTURES}
        return JSONResponse({**build_form(self.seed), "limits": limits})

    async def get_example(self, request: Request) -> Response:
        """Serve a small picture that shows what a value of an option does."""
        name = option, value = request.path_params["option"], request.path_params["value"]
        if name not in self.examples:
            if not is_illustrated(option, value):
                raise RefusedError("there is no such example", 404)
            lane = Lane(name=f"example {option} {value}", seconds=DRAW_TIMEOUT)
            self.examples[name] = await self.jobs.run_job(lane, draw_example, option, value)
        return Response(self.examples[name], media_type="image/png", headers=DAY_CACHE)

    async def list_pictures(self, request: Request) -> Response:
        """Serve the list of pictures, after those of the command line have been read."""
        if self.startup_task is not None:
            await asyncio.wait({self.startup_task})
        uploads = [upload.as_dict for upload in self.album.uploads.values()]
        return JSONResponse({"pictures": uploads})

    async def add_picture(self, request: Request) -> Response:
        """Add an uploaded picture."""
        name, page = request.query_params.get("name", ""), _page_id(request)
        self.album.evict_uploads(self.state, page)
        upload = await self.album.receive_upload(name, read_body(request, MAX_FILE_BYTES), page)
        await self.read_upload(upload)
        self.album.add_upload(upload)
        return JSONResponse(upload.as_dict)

    async def read_upload(self, upload: Upload) -> None:
        """Read a received picture in a worker; remove it if it cannot be read."""
        try:
            upload.facts, upload.thumbnail = await self.jobs.run_job(
                Lane(name=f"open {upload.file.id}", seconds=OPEN_TIMEOUT),
                describe_file,
                upload.file,
            )
        except BaseException:
            self.album.remove_upload(upload.file.id)
            raise
        upload.file = replace(upload.file, is_clip=upload.facts["kind"] == "clip")

    async def remove_picture(self, request: Request) -> Response:
        """Remove a picture."""
        self.album.remove_upload(self.album.find_upload(request.path_params["id"]).file.id)
        return Response(status_code=204)

    async def get_thumbnail(self, request: Request) -> Response:
        """Serve a picture's thumbnail; the query ``at`` selects a clip's frame by its second."""
        upload = self.album.find_upload(request.path_params["id"])
        thumbnail, seconds = upload.thumbnail, parse_seconds(request.query_params.get("at"))
        if upload.file.is_clip and seconds:
            # The requests of a film strip have their own lane, so they never stop the card's.
            kind = "strip" if request.query_params.get("strip") else "frame"
            name = f"{kind} {upload.file.id} {_page_id(request)}"
            lane = Lane(name=name, seconds=DRAW_TIMEOUT)
            try:
                thumbnail = await self.jobs.run_job(lane, draw_thumbnail, upload.file, seconds)
            except RefusedError as error:
                # A time after the clip's end gets the first frame; the target reports the error.
                if error.status not in INVALID_STATUSES:
                    raise
        return Response(thumbnail, media_type="image/jpeg", headers=DAY_CACHE)

    async def get_picture_file(self, request: Request) -> Response:
        """Serve the original file of a picture."""
        file = self.album.find_upload(request.path_params["id"]).file
        return FileResponse(file.path, media_type="application/octet-stream", filename=file.name)

    async def read_request(self, request: Request, *, minimum: int = 2) -> tuple[Any, FilmRequest]:
        """Return a request's JSON, and the `FilmRequest` parsed from it."""
        body = await read_json(request)
        return body, parse_film_request(
            body, self.album.uploaded_file_by_id, self.seed, minimum=minimum
        )

    async def get_target(self, request: Request) -> Response:
        """Serve a picture's target as a PNG with one pixel for each cell."""
        body, film = await self.read_request(request, minimum=1)
        index = parse_whole_number(body, "index", len(film.pictures))
        name = f"target {index} {body.get('slot')!r:.40} {_page_id(request)}"
        lane, wrong = Lane(name=name, seconds=DRAW_TIMEOUT), body.get("wrong") is True
        work = self.jobs.run_job(lane, draw_target, film, index, wrong)
        png, part = await _answer(request, film, work)
        edges = ",".join(f"{edge:g}" for edge in part)
        return Response(png, media_type="image/png", headers={"X-Part": edges})

    async def solve_film(self, request: Request) -> Response:
        """Solve a film or its draft; a newer request of the same page and slot supersedes it."""
        body, film = await self.read_request(request)
        slot = "B" if body.get("slot") == "B" else "A"
        page, is_draft = _page_id(request), body.get("draft") is True
        key = page, slot

        def report_progress(stage: str, share: float, note: str) -> None:
            """Keep the latest report for the page, which asks for it."""
            self.progress[key] = {"stage": stage, "share": share, "note": note}

        lane = Lane(name=f"film {slot} {page}", seconds=FILM_TIMEOUT, on_progress=report_progress)
        try:
            answer = await _answer(request, film, self._solve_film(lane, film, is_draft))
        finally:
            self.progress.pop(key, None)
        return JSONResponse(answer)

    async def _solve_film(self, lane: Lane, film: FilmRequest, may_be_draft: bool) -> FilmFacts:
        id, solved = secrets.token_hex(8), self._find_solution(film)
        path = self._film_path(id)
        try:
            facts = await self.jobs.run_job(lane, make_film, film, path, solved, may_be_draft)
        except BaseException:
            self.album.remove_files(path.name)
            raise
        self.films[id] = None if facts["draft"] else film.solve_key
        for oldest in list(self.films)[:-MAX_FILMS]:
            del self.films[oldest]
            self.album.remove_files(self._film_path(oldest).name)
        return {"film": id, **facts}

    def _film_path(self, id: str) -> Path:
        return self.album.folder / f"film-{id}"

    def _find_solution(self, film: FilmRequest) -> Path | None:
        # Returns the solution of an earlier film that is equal apart from theme and outputs.
        ids = (id for id, key in self.films.items() if key == film.solve_key)
        return next((self._film_path(id).with_suffix(SOLUTION) for id in ids), None)

    async def get_progress(self, request: Request) -> Response:
        """Serve the progress of the page's films by slot (A or B)."""
        page = _page_id(request)
        return JSONResponse({slot: now for (id, slot), now in self.progress.items() if id == page})

    async def get_player(self, request: Request) -> Response:
        """Serve the player page of a film."""
        id = request.path_params["id"]
        if id not in self.films:
            raise RefusedError("the studio no longer has this film; make it again", 404)
        player = self._film_path(id).with_suffix(PLAYER)
        headers = {"Content-Security-Policy": PLAYER_POLICY}
        return FileResponse(player, media_type="text/html", headers=headers)

    async def get_snippets(self, request: Request) -> Response:
        """Serve the command, the Python code and the manifest entry of a film."""
        from .snippets import build_snippets

        body, film = await self.read_request(request)
        outputs = parse_outputs({"formats": [".gif"], **body}, film)
        return JSONResponse(build_snippets(film, outputs))

    async def start_save(self, request: Request) -> Response:
        """Start writing a film to files; serve the id of the save."""
        body, film = await self.read_request(request)
        outputs = parse_outputs(body, film)
        save = self.saves.create_save()
        save.task = asyncio.create_task(self._write_save(save, film, outputs))
        return JSONResponse({"save": save.id})

    async def _write_save(self, save: SaveJob, film: FilmRequest, outputs: Outputs) -> None:
        try:
            async with self.saves.run_slots:
                lane = Lane(
                    name=f"save {save.id}", seconds=SAVE_TIMEOUT, on_progress=save.on_progress
                )
                solved = self._find_solution(film)
                notes = await self.jobs.run_job(lane, save_film, film, outputs, save.folder, solved)
            save.mark_finished([str(file.path) for file, _ in outputs.files], notes)
        except Exception as error:  # the page shows the progress until an event ends it
            save.publish_event("failed", film.add_picture_id(to_refusal(error)).as_dict)

    async def stream_events(self, request: Request) -> Response:
        """Serve the progress of a save as server-sent events."""
        save = self.saves.find_save(request.path_params["id"])
        return StreamingResponse(save.stream_events(), media_type="text/event-stream")

    async def get_saved_file(self, request: Request) -> Response:
        """Serve a finished file of a save."""
        save, name = self.saves.find_save(request.path_params["id"]), request.path_params["name"]
        if name not in save.files:
            raise RefusedError("there is no such file", 404)
        path = save.folder / name
        return FileResponse(path, media_type="application/octet-stream", filename=name)

    async def cancel_save(self, request: Request) -> Response:
        """Stop a save, and remove its files."""
        self.saves.remove_save(request.path_params["id"])
        return Response(status_code=204)

    @property
    def work_version_headers(self) -> dict[str, str]:
        """The ETag header, which identifies the version of the page's state."""
        return {"ETag": f'"{hashlib.sha256(self.state).hexdigest()}"'}

    async def get_work(self, request: Request) -> Response:
        """Serve the page's state; nothing if the If-None-Match header names the current version."""
        headers = self.work_version_headers
        if headers["ETag"] in request.headers.get("If-None-Match", ""):
            return Response(status_code=304, headers=headers)
        return Response(self.state, media_type="application/json", headers=headers)

    async def put_work(self, request: Request) -> Response:
        """Replace the page's state if the If-Match header names the current version."""
        state = json.dumps(await read_json(request, MAX_STATE_BYTES)).encode()
        known_version = request.headers.get("If-Match")
        if known_version != self.work_version_headers["ETag"]:
            message = "If-Match is not the current version; get the state, and merge the changes"
            raise RefusedError(message, 412 if known_version else 428)
        self.state = state
        self.album.mark_named_uploads(state)
        return Response(status_code=204, headers=self.work_version_headers)

    async def get_work_file(self, request: Request) -> Response:
        """Serve the project as one file."""
        with ExitStack() as until_sent:
            file = until_sent.enter_context(TemporaryFile(dir=self.album.folder))
            state = json.loads(self.state)
            size = await asyncio.to_thread(write_work_file, file, state, self.album)
            until_sent.pop_all()
        name = 'attachment; filename="studio.lightsanim.zip"'
        headers = {"Content-Disposition": name, "Content-Length": str(size)}
        return StreamingResponse(read_chunks(file), media_type="application/zip", headers=headers)

    async def post_work_file(self, request: Request) -> Response:
        """Replace the project with that of an uploaded project file."""
        if self.opening_lock.locked():
            raise RefusedError("another project is being opened; try again in a moment", 503)
        file = self.album.folder / f"work-{secrets.token_hex(8)}.zip"
        new_album = Album(self.album.folder, self.album.max_bytes)
        async with self.opening_lock:
            try:
                with file.open("xb") as writing:
                    async for chunk in read_body(request, self.album.max_bytes):
                        writing.write(chunk)
                state = await read_work_file(file, new_album)
                for upload in new_album.uploads.values():
                    await self.read_upload(upload)
            except BaseException:
                new_album.clear_uploads()
                raise
            finally:
                file.unlink(missing_ok=True)
        self.album.take_over_uploads(new_album)
        self.state = json.dumps(state).encode()
        answer = {"work": state, "pictures": [u.as_dict for u in new_album.uploads.values()]}
        return JSONResponse(answer, headers=self.work_version_headers)


def _page_id(request: Request) -> str:
    # The addresses of images contain the id, since their requests have no such header.
    return request.headers.get("X-Page", request.query_params.get("page", ""))[:20]


async def _answer(request: Request, film: FilmRequest, work: Coroutine[Any, Any, Answer]) -> Answer:
    # Awaits the work on a film; if the client disconnects, cancels it after the grace period.
    task = asyncio.ensure_future(work)
    disconnect = asyncio.ensure_future(_wait_for_disconnection(request))
    try:
        await asyncio.wait({task, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        if disconnect.done():
            await asyncio.wait({task}, timeout=GRACE_SECONDS)
            if not task.done():
                raise RefusedError("the client disconnected", 499)
        return await task
    except RefusedError as error:
        raise film.add_picture_id(error) from error
    finally:
        disconnect.cancel()
        task.cancel()


async def _wait_for_disconnection(request: Request) -> None:
    # The request's body has been read, so only the disconnection message can follow.
    while (await request.receive())["type"] != "http.disconnect":
        pass


def build_app(studio: Studio) -> Starlette:
    """Build a studio's ASGI application; `guard.RequestGuard` must wrap it."""
    handlers = (
        ("GET", "/", studio.get_page),
        ("GET", "/static/{name:path}", studio.get_bundle),
        ("GET", "/maker.html", studio.get_maker),
        ("GET", "/samples/{name}", studio.get_sample),
        ("GET", "/options", studio.get_options),
        ("GET", "/examples/{option}/{value}.png", studio.get_example),
        ("GET", "/pictures", studio.list_pictures),
        ("POST", "/pictures", studio.add_picture),
        ("DELETE", "/pictures/{id}", studio.remove_picture),
        ("GET", "/pictures/{id}/thumb", studio.get_thumbnail),
        ("GET", "/pictures/{id}/file", studio.get_picture_file),
        ("POST", "/target", studio.get_target),
        ("POST", "/film", studio.solve_film),
        ("GET", "/films/progress", studio.get_progress),
        ("GET", "/films/{id}/player", studio.get_player),
        ("POST", "/words", studio.get_snippets),
        ("POST", "/save", studio.start_save),
        ("GET", "/saves/{id}/events", studio.stream_events),
        ("GET", "/saves/{id}/{name}", studio.get_saved_file),
        ("DELETE", "/saves/{id}", studio.cancel_save),
        ("GET", "/work", studio.get_work),
        ("PUT", "/work", studio.put_work),
        ("GET", "/work/file", studio.get_work_file),
        ("POST", "/work/file", studio.post_work_file),
    )
    routes = [Route(path, handler, methods=[method]) for method, path, handler in handlers]
    error_types = LightsAnimError, HTTPException, ClientDisconnect, OSError, Exception
    return Starlette(routes=routes, exception_handlers=dict.fromkeys(error_types, _error_response))


async def _error_response(request: Request, error: Exception) -> Response:
    match error:
        case HTTPException():
            refusal = RefusedError("there is nothing at this address", error.status_code)
        case ClientDisconnect():
            refusal = RefusedError("the client disconnected", 499)
        case _:
            refusal = to_refusal(error)
    # The escapes of `json.dumps` also hold half a surrogate pair, which a request may contain.
    return Response(json.dumps(refusal.as_dict), refusal.status, media_type="application/json")

"""The requests of the page, one function each."""

import asyncio
import hashlib
import json
import mimetypes
import secrets
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

from lightsanim.errors import OptionError
from lightsanim.options.outputs import Outputs
from lightsanim.pictures.sample_pictures import sample
from lightsanim.studio.album import MOST_PICTURES, Album, Photo, pieces_of
from lightsanim.studio.form import form
from lightsanim.studio.guard import MAKER_POLICY, PLAYER_POLICY
from lightsanim.studio.request_options import (
    WRONG,
    Asked,
    asked_of,
    outputs_of,
    seconds_of,
    whole_of,
)
from lightsanim.studio.requests import MOST_BYTES, RefusedError, body_of, json_of
from lightsanim.studio.saves import Save, Saves
from lightsanim.studio.turns import Turns, unless_gone
from lightsanim.studio.work_file import MOST_STATE, read_work, write_work

STATIC = (Path(__file__).parent / "static").resolve()

# The style of all our pages, which is not kept twice.
WALL = Path(__file__).parents[1] / "web" / "templates" / "wall.css"

# Seconds that jobs may take.
OPENING, DRAWING, FILMING, SAVING = 60.0, 60.0, 900.0, 3600.0

# Films whose players can be asked for.
MOST_FILMS = 8

KEPT_FOR_A_DAY = {"Cache-Control": "private, max-age=86400"}


@dataclass
class Studio:
    """All that the studio holds while it is open."""

    album: Album  # the pictures
    turns: Turns  # the work
    saves: Saves  # files being written
    seed: int = field(default_factory=lambda: secrets.randbelow(10**6))  # where none is given
    # The last films, by their ids: what each was made of, see `Asked.solving`, and a
    # `lightsanim.studio.worker.MadeFilm`.
    films: dict[str, tuple[str, Any]] = field(default_factory=dict)
    state: bytes = b"null"  # the page's own, as JSON
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)  # of a work's file
    # How far films are, by page and slot.
    told: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    # The pictures named on the command line are being read.
    beginning: "asyncio.Task[None] | None" = None

    # What is asked for by everyone.

    async def page(self, request: Request) -> Response:
        """The page, and what it loads."""
        name = request.path_params.get("name", "index.html")
        file = WALL if name == WALL.name else (STATIC / name).resolve()
        if file != WALL and not (file.is_relative_to(STATIC) and file.is_file()):
            raise RefusedError("there is no such file", 404)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        kind = "text/javascript" if name.endswith((".js", ".mjs")) else kind
        return Response(file.read_bytes(), media_type=kind, headers={"Cache-Control": "no-cache"})

    async def maker(self, request: Request) -> Response:
        """The page that makes films without us."""
        from lightsanim.teaching.maker import maker_page

        headers = {"Content-Security-Policy": MAKER_POLICY}
        return HTMLResponse(await asyncio.to_thread(maker_page, "./"), headers=headers)

    async def sample(self, request: Request) -> Response:
        """A picture to begin with."""
        try:
            content = sample(request.path_params["name"])
        except OptionError as error:
            raise RefusedError(str(error), 404) from error
        return Response(content, media_type="image/webp", headers=KEPT_FOR_A_DAY)

    async def options(self, request: Request) -> Response:
        """The form, from the table of options."""
        limits = {"upload": MOST_BYTES, "pictures": MOST_PICTURES}
        return JSONResponse({**form(self.seed), "limits": limits})

    # Pictures.

    async def pictures(self, request: Request) -> Response:
        """All pictures that are held, those named on the command line first."""
        if self.beginning is not None:
            await asyncio.wait({self.beginning})
        photos = [photo.as_dict for photo in self.album.photos.values()]
        return JSONResponse({"pictures": photos})

    async def add_picture(self, request: Request) -> Response:
        """A picture that was dropped."""
        name, page = request.query_params.get("name", ""), _page_of(request)
        self.album.make_room(self.state, page)
        photo = await self.album.receive(name, body_of(request, MOST_BYTES), page)
        await self.read(photo)
        self.album.add(photo)
        return JSONResponse(photo.as_dict)

    async def read(self, photo: Photo) -> None:
        """Read a picture whose bytes are there; a bad one leaves nothing behind."""
        try:
            photo.facts, photo.thumb = await self.turns.take(
                f"open {photo.held.id}", "open", photo.held, seconds=OPENING
            )
        except BaseException:
            self.album.remove(photo.held.id)
            raise
        photo.held = replace(photo.held, moves=photo.facts["kind"] == "clip")

    async def remove_picture(self, request: Request) -> Response:
        """Forget a picture."""
        self.album.remove(self.album.photo(request.path_params["id"]).held.id)
        return Response(status_code=204)

    async def thumb(self, request: Request) -> Response:
        """A picture as the page shows it; of a clip perhaps a later frame."""
        photo = self.album.photo(request.path_params["id"])
        shown, at = photo.thumb, seconds_of(request.query_params.get("at"))
        if photo.held.moves and at:
            # Those of a strip come one after the other, and put no other out of date.
            lane = "strip" if request.query_params.get("strip") else "frame"
            job = f"{lane} {photo.held.id}", "frame", photo.held, at
            try:
                shown = await self.turns.take(*job, seconds=DRAWING)
            except RefusedError as refused:
                if refused.status not in WRONG:  # beyond its end, which its target says
                    raise
        return Response(shown, media_type="image/jpeg", headers=KEPT_FOR_A_DAY)

    async def picture_file(self, request: Request) -> Response:
        """A picture's own bytes, to be saved beside a film."""
        held = self.album.photo(request.path_params["id"]).held
        return _attachment(held.file, held.name)

    # Films.

    async def asked(self, request: Request, *, least: int = 2) -> tuple[Any, Asked]:
        """A request's JSON, and what it asks for."""
        body = await json_of(request)
        return body, asked_of(body, self.album.held, self.seed, least=least)

    async def target(self, request: Request) -> Response:
        """A picture's target, one pixel a cell."""
        body, asked = await self.asked(request, least=1)
        index = whole_of(body, "index", len(asked.pictures))
        lane = f"target {index} {body.get('slot')!r:.40} {_page_of(request)}"
        job = "target", asked, index, body.get("wrong") is True
        png, part = await self._made(request, asked, lane, *job, seconds=DRAWING)
        edges = ",".join(f"{edge:g}" for edge in part)
        return Response(png, media_type="image/png", headers={"X-Part": edges})

    async def film(self, request: Request) -> Response:
        """A film, solved; a newer one of the same slot puts it out of date."""
        body, asked = await self.asked(request)
        slot = "B" if body.get("slot") == "B" else "A"
        page = _page_of(request)
        job, told = (f"film {slot} {page}", "film", asked, self._solved(asked)), (page, slot)

        def tell(stage: str, share: float, note: str) -> None:
            self.told[told] = {"stage": stage, "share": share, "note": note}

        try:
            made = await self._made(request, asked, *job, seconds=FILMING, on_progress=tell)
        finally:
            self.told.pop(told, None)
        id = secrets.token_hex(8)
        self.films[id] = asked.solving, made
        for old in list(self.films)[:-MOST_FILMS]:
            del self.films[old]
        facts = {"report": made.report, "summary": made.summary, "notes": made.report["notes"]}
        return JSONResponse({"film": id, **facts})

    def _solved(self, asked: Asked) -> bytes | None:
        # A film that differs in its look at most was solved before.
        return next((made.solved for of, made in self.films.values() if of == asked.solving), None)

    async def progress(self, request: Request) -> Response:
        """How far the films are that are being solved for a page, by their slots."""
        page = _page_of(request)
        return JSONResponse({slot: said for (of, slot), said in self.told.items() if of == page})

    async def _made(self, request: Request, asked: Asked, *job: Any, **watched: Any) -> Any:
        try:
            return await unless_gone(request, self.turns.take(*job, **watched))
        except RefusedError as refused:
            raise asked.refused(refused) from refused

    async def player(self, request: Request) -> Response:
        """The page that plays a film."""
        id = request.path_params["id"]
        if id not in self.films:
            raise RefusedError("this film is not here any more; make it again", 404)
        _, made = self.films[id]
        headers = {"Content-Security-Policy": PLAYER_POLICY}
        return Response(made.player, media_type="text/html", headers=headers)

    async def words(self, request: Request) -> Response:
        """The command line, the Python and the manifest entry of a film."""
        from lightsanim.studio.snippets import words_for

        body, asked = await self.asked(request)
        outputs = outputs_of({"formats": [".gif"], **body}, asked)
        return JSONResponse(words_for(asked, outputs))

    # Files.

    async def save(self, request: Request) -> Response:
        """Begin to write files."""
        body, asked = await self.asked(request)
        outputs = outputs_of(body, asked)
        save = self.saves.new()
        save.task = asyncio.create_task(self._write(save, asked, outputs))
        return JSONResponse({"save": save.id})

    async def _write(self, save: Save, asked: Asked, outputs: Outputs) -> None:
        job = "save", asked, outputs, save.folder, self._solved(asked)
        try:
            notes = await self.turns.take(
                f"save {save.id}", *job, seconds=SAVING, on_progress=save.on_progress
            )
            save.end_with([*map(str, filter(None, (*outputs.output, outputs.sheet)))], notes)
        except RefusedError as refused:
            save.tell("failed", asked.refused(refused).as_dict)

    async def events(self, request: Request) -> Response:
        """How far files are."""
        save = self.saves.save(request.path_params["id"])
        return StreamingResponse(save.events(), media_type="text/event-stream")

    async def saved_file(self, request: Request) -> Response:
        """A file that was written."""
        save, name = self.saves.save(request.path_params["id"]), request.path_params["name"]
        if name not in save.files:
            raise RefusedError("there is no such file", 404)
        return _attachment(save.folder / name, name)

    async def cancel_save(self, request: Request) -> Response:
        """Stop writing, and forget the files."""
        self.saves.remove(request.path_params["id"])
        return Response(status_code=204)

    # The work as a whole.

    @property
    def version(self) -> dict[str, str]:
        """The header that tells which work this is."""
        return {"ETag": f'"{hashlib.sha256(self.state).hexdigest()}"'}

    async def get_work(self, request: Request) -> Response:
        """The page's own state."""
        return Response(self.state, media_type="application/json", headers=self.version)

    async def put_work(self, request: Request) -> Response:
        """Keep the page's own state, until the studio ends, in place of the one that it knows."""
        state = json.dumps(await json_of(request, MOST_STATE)).encode()
        known = request.headers.get("If-Match")
        if known != self.version["ETag"]:
            line = "this work is not the one that If-Match names; get it, and merge with it"
            raise RefusedError(line, 412 if known else 428)
        self.state = state
        self.album.mark_named(state)
        return Response(status_code=204, headers=self.version)

    async def get_work_file(self, request: Request) -> Response:
        """The work as one file."""
        with ExitStack() as until_sent:
            file = until_sent.enter_context(TemporaryFile(dir=self.album.folder))
            size = await asyncio.to_thread(write_work, file, json.loads(self.state), self.album)
            until_sent.pop_all()
        name = 'attachment; filename="studio.lightsanim.zip"'
        headers = {"Content-Disposition": name, "Content-Length": str(size)}
        return StreamingResponse(pieces_of(file), media_type="application/zip", headers=headers)

    async def post_work_file(self, request: Request) -> Response:
        """Open a work in place of what is there."""
        if self.opening.locked():
            raise RefusedError("another work is being opened; wait a little", 503)
        file = self.album.folder / f"work-{secrets.token_hex(8)}.zip"
        opened = Album(self.album.folder, self.album.max_bytes)
        async with self.opening:
            try:
                with file.open("xb") as writing:
                    async for chunk in body_of(request, self.album.max_bytes):
                        writing.write(chunk)
                state = await read_work(file, opened)
                for photo in opened.photos.values():
                    await self.read(photo)
            except BaseException:
                opened.clear()
                raise
            finally:
                file.unlink(missing_ok=True)
        self.album.replace_with(opened)
        self.state = json.dumps(state).encode()
        pictures = [photo.as_dict for photo in opened.photos.values()]
        return JSONResponse({"work": state, "pictures": pictures}, headers=self.version)


def _page_of(request: Request) -> str:
    return request.headers.get("X-Page", "")[:20]


def app_of(studio: Studio) -> Starlette:
    """The application of a studio; `lightsanim.studio.guard.Guard` stands before it."""

    answers = (
        ("GET", "/", studio.page),
        ("GET", "/static/{name:path}", studio.page),
        ("GET", "/maker.html", studio.maker),
        ("GET", "/samples/{name}", studio.sample),
        ("GET", "/options", studio.options),
        ("GET", "/pictures", studio.pictures),
        ("POST", "/pictures", studio.add_picture),
        ("DELETE", "/pictures/{id}", studio.remove_picture),
        ("GET", "/pictures/{id}/thumb", studio.thumb),
        ("GET", "/pictures/{id}/file", studio.picture_file),
        ("POST", "/target", studio.target),
        ("POST", "/film", studio.film),
        ("GET", "/films/progress", studio.progress),
        ("GET", "/films/{id}/player", studio.player),
        ("POST", "/words", studio.words),
        ("POST", "/save", studio.save),
        ("GET", "/saves/{id}/events", studio.events),
        ("GET", "/saves/{id}/{name}", studio.saved_file),
        ("DELETE", "/saves/{id}", studio.cancel_save),
        ("GET", "/work", studio.get_work),
        ("PUT", "/work", studio.put_work),
        ("GET", "/work/file", studio.get_work_file),
        ("POST", "/work/file", studio.post_work_file),
    )
    routes = [Route(path, answer, methods=[method]) for method, path, answer in answers]
    refused = RefusedError, HTTPException, ClientDisconnect, OSError
    return Starlette(routes=routes, exception_handlers=dict.fromkeys(refused, _refused))


async def _refused(request: Request, error: Exception) -> Response:
    match error:
        case RefusedError():
            refusal = error
        case HTTPException():
            refusal = RefusedError("there is nothing here", error.status_code)
        case ClientDisconnect():
            refusal = RefusedError("nobody waits for this any more", 499)
        case _:
            refusal = RefusedError(f"cannot keep this: {getattr(error, 'strerror', error)}", 507)
    return JSONResponse(refusal.as_dict, status_code=refusal.status)


def _attachment(file: Path, name: str) -> Response:
    return FileResponse(file, media_type="application/octet-stream", filename=name)

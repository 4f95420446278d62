"""Chromium, Firefox and WebKit behind one interface; each window shows one page at a time.

Firefox speaks Marionette, its own form of WebDriver, so that no other program is needed; WebKit has
Debian's WebKitWebDriver, a window of `webkit_window.py`, and a screen of Xvfb.
"""

import base64
import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tools.program import outside

# The same commands in both spellings of WebDriver: Marionette's name, and the path of a request.
COMMANDS = {
    "open": ("WebDriver:Navigate", "url"),
    "run": ("WebDriver:ExecuteScript", "execute/sync"),
    "act": ("WebDriver:PerformActions", "actions"),
    "size": ("WebDriver:SetWindowRect", "window/rect"),
}

PREFERENCES = {
    "marionette.port": 0,  # any; Firefox writes it into its profile
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
}

# In Firefox's own scope: the size of the page, its colours and its pointer; and its errors.
SHOW = """const [wide, high, dark, touch] = arguments, { prefs } = Services;
gBrowser.selectedBrowser.style.cssText =
  `flex: none; width: ${wide}px; height: ${high}px; min-width: 0; max-width: none`;
prefs.setIntPref("layout.css.prefers-color-scheme.content-override", dark ? 0 : 1);
prefs.setIntPref("ui.prefersReducedMotion", 1);
prefs.setIntPref("ui.primaryPointerCapabilities", touch ? 1 : 6);
prefs.setIntPref("ui.allPointerCapabilities", touch ? 1 : 6);
Services.console.reset();
Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage).clearEvents();"""
SETTINGS = """const has = (feature) => matchMedia(`(${feature})`).matches;
return [innerWidth, innerHeight, has("prefers-color-scheme: dark"), has("pointer: coarse")];"""
ERRORS = """const ours = (name) => /^(file|http):/.test(name);
const events = Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage)
  .getEvents().filter((event) => event.level === "error" && ours(event.filename));
const messages = Services.console.getMessageArray().filter((message) =>
  message instanceof Ci.nsIScriptError && !(message.flags & 1) && ours(message.sourceName));
return [...events.map((event) => String(event.arguments)),
  ...messages.map((message) => message.errorMessage)];"""


class Chromium:
    """A window of Chromium, driven by Playwright."""

    name = "chromium"

    def __init__(self, browser):
        self._browser, self._page, self._complaints = browser, None, []

    def show(self, address, size, *, dark=False, touch=False):
        """Open an address in a page of a size, in light or dark colours, for mouse or fingers."""
        if self._page:
            self._page.context.close()
        width, height = size
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch,
            color_scheme="dark" if dark else "light", reduced_motion="reduce",
        )  # fmt: skip
        self._page = context.new_page()
        note = self._complaints.append
        self._page.on("console", lambda m: m.type in ("error", "warning") and note(m.text))
        self._page.on("pageerror", lambda error: note(str(error)))
        self._page.goto(address)

    def run(self, script, *arguments):
        """Run the body of a function in the page; returns its value."""
        call = "([script, list]) => new Function(script)(...list)"
        try:
            return self._page.evaluate(call, [script, arguments])
        except Exception as problem:
            if "navigation" not in str(problem):
                raise
        return self.run(script, *arguments)  # on the page to which a link leads

    def click(self, x, y):
        self._page.mouse.click(x, y)

    def shot(self):
        return self._page.screenshot()

    def complaints(self):
        """Errors and warnings of the page since it was opened."""
        complaints, self._complaints = self._complaints, []
        return complaints


class _Driven:
    # A window that is driven by WebDriver; `_send` sends a command.
    def run(self, script, *arguments):
        return self._send("run", script=script, args=list(arguments))

    def click(self, x, y):
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        actions = [{"type": "pointerMove", "x": round(x), "y": round(y)}, *press]
        self._send("act", actions=[{"type": "pointer", "id": "mouse", "actions": actions}])


class Firefox(_Driven):
    """A window of Firefox, without a screen."""

    name = "firefox"

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._answers, self._number = self._socket.makefile("rb"), 0
        self._receive()
        self._command("WebDriver:NewSession")

    def close(self):
        self._answers.close()
        self._socket.close()

    def _receive(self):
        digits = b""
        while (digit := self._answers.read(1)) != b":":
            digits += digit
        return json.loads(self._answers.read(int(digits)))

    def _command(self, command, **values):
        self._number += 1
        text = json.dumps([0, self._number, command, values]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        *_, error, value = self._receive()
        assert not error, error
        return value["value"] if isinstance(value, dict) and "value" in value else value

    def _send(self, name, **values):
        return self._command(COMMANDS[name][0], **values)

    def _run_inside(self, script, *arguments):
        self._command("Marionette:SetContext", value="chrome")
        value = self.run(script, *arguments)
        self._command("Marionette:SetContext", value="content")
        return value

    def show(self, address, size, *, dark=False, touch=False):
        self._send("open", url="about:blank")
        self._send("size", width=1500, height=1300)
        self._run_inside(SHOW, *size, dark, touch)
        # Pages are in another process, which hears of these settings a moment later.
        wait_for(lambda: self.run(SETTINGS) == [*size, dark, touch])
        self._send("open", url=address)

    def shot(self):
        return base64.b64decode(self._command("WebDriver:TakeScreenshot", full=False))

    def complaints(self):
        return self._run_inside(ERRORS)


class WebKit(_Driven):
    """A window of WebKitGTK; it knows no fingers."""

    name = "webkit"

    def __init__(self, port, output, scheme):
        self._address = f"http://127.0.0.1:{port}/session"
        self._output, self._scheme = output, scheme
        options = {"binary": str(Path(__file__).with_name("webkit_window.py")), "args": []}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._address += "/" + self._request("", wanted)["sessionId"]

    def _request(self, path, values=None):
        data = None if values is None else json.dumps(values).encode()
        request = urllib.request.Request(f"{self._address}{path}", data)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise AssertionError(problem.read().decode()) from None

    def _send(self, name, **values):
        return self._request(f"/{COMMANDS[name][1]}", values)

    def show(self, address, size, *, dark=False, touch=False):
        self._send("open", url="about:blank")
        self._scheme.write_text("dark" if dark else "light")
        width, height = size
        self._send("size", width=width, height=height)
        self._output.truncate(0)
        self._send("open", url=address)

    def shot(self):
        return base64.b64decode(self._request("/screenshot"))

    def complaints(self):
        self._output.seek(0)
        lines = self._output.read().replace("\0", "").splitlines()
        return [line for line in lines if line.startswith(("CONSOLE ERROR", "CONSOLE JS ERROR"))]


def wait_for(value, seconds=30):
    """Wait until a function returns something true; returns that."""
    end = time.monotonic() + seconds
    while not (found := value()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    return found


@contextmanager
def _process(words, **keywords):
    process = subprocess.Popen(words, **keywords)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def firefox():
    words = [outside("firefox-esr"), "--headless", "--marionette", "--remote-allow-system-access"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        Path(folder, "user.js").write_text("\n".join(lines))
        keywords = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "HOME": folder}
        words += ["--no-remote", "--profile", folder]
        stack.enter_context(_process(words, env=environment, **keywords))
        port = Path(folder, "MarionetteActivePort")
        window = Firefox(int(wait_for(lambda: port.exists() and port.read_text().strip())))
        stack.callback(window.close)
        yield window


@contextmanager
def webkit():
    driver, screen = outside("WebKitWebDriver"), outside("Xvfb")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        output = stack.enter_context(Path(folder, "output").open("w+"))
        scheme = Path(folder, "scheme")
        reader, writer = os.pipe()
        stack.callback(os.close, reader)
        stack.callback(os.close, writer)
        words = [screen, "-displayfd", str(writer), "-screen", "0", "2000x1400x24"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        stack.enter_context(_process(words, pass_fds=[writer], **quiet))
        environment = {
            **os.environ, "DISPLAY": f":{os.read(reader, 9).decode().strip()}", "HOME": folder,
            "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "SCHEME": str(scheme),
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }  # fmt: skip
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        words = [driver, f"--port={port}"]
        keywords = {"stdout": output, "stderr": subprocess.STDOUT, "env": environment}
        stack.enter_context(_process(words, **keywords))
        wait_for(lambda: is_listening(port))
        yield WebKit(port, output, scheme)


def is_listening(port):
    with socket.socket() as probe:
        return not probe.connect_ex(("127.0.0.1", port))


ENGINES = {"firefox": firefox, "webkit": webkit}

#!/usr/bin/python3
"""A bare window of WebKitGTK for its WebDriver, run by Debian's Python: the size is the page's.

What pages write to the console goes to standard output.
"""

import os
from pathlib import Path

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402


def create_view(session):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    view.get_settings().set_enable_write_console_messages_to_stdout(True)
    view.connect("load-changed", set_scheme)
    window = Gtk.Window()
    window.set_decorated(False)
    window.add(view)
    window.show_all()
    return view


def set_scheme(*_):
    """Take dark or light colours from the file that the environment names."""
    scheme = Path(os.environ["SCHEME"])
    settings = Gtk.Settings.get_default()
    settings.set_property(
        "gtk-application-prefer-dark-theme", scheme.exists() and scheme.read_text() == "dark"
    )


context = WebKit2.WebContext.get_default()
context.set_automation_allowed(True)
context.connect("automation-started", lambda _, s: s.connect("create-web-view", create_view))
Gtk.Settings.get_default().set_property("gtk-enable-animations", False)  # reduced motion
Gtk.main()

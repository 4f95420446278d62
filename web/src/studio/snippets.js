/** The command, the Python code and the manifest entry that make the same film. */

import { h } from "../page/create.js";
import { debounce } from "../page/debounce.js";
import { findElements, setText } from "../page/elements.js";
import { getSnippets, isStale } from "./api.js";
import { filmBody } from "./bodies.js";
import { isEnough } from "./look.js";
import { table } from "./table.js";
import { current, look } from "./work.js";

const SNIPPETS_DELAY = 150; // milliseconds without a change before they are requested
const COPIED_TIME = 2000; // milliseconds for which a button says that it has copied

const { words: snippets, ...texts } = findElements({
  words: HTMLElement,
  command: HTMLElement,
  python: HTMLElement,
  manifest: HTMLElement,
});

/** The request of the snippets that are shown, as JSON. */
let requestedText = "";
/** @type {AbortController | null} */
let abort = null;

const snippetsBody = () => ({
  ...filmBody(current(), look()),
  formats: current().formats.length ? current().formats : table.formats.slice(0, 1),
});

/** Marks snippets of another film, and requests new ones. */
export function showSnippets() {
  snippets.classList.toggle("stale", requestedText !== JSON.stringify(snippetsBody()));
  updateSnippets();
}

const updateSnippets = debounce(SNIPPETS_DELAY, async () => {
  if (!isEnough()) return;
  const body = snippetsBody();
  const text = JSON.stringify(body);
  if (text === requestedText) return;
  abort?.abort();
  abort = new AbortController();
  try {
    const { command, python, manifest } = await getSnippets(body, abort.signal);
    requestedText = text;
    texts.command.replaceChildren(...splitCommand(command));
    setText(texts.python, python);
    setText(texts.manifest, manifest);
    snippets.classList.remove("stale");
  } catch (error) {
    if (!isStale(error)) requestedText = ""; // the film's request shows the message
  }
});

/**
 * Keeps each word of the command on one line.
 *
 * @param {string} command
 */
const splitCommand = (command) =>
  command.split(/( +)/).map((word) => (word.trim() ? h("span", {}, word) : word));

/** Lets the buttons copy the snippets, or select them if that is not allowed. */
export function listenToCopies() {
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
    document.querySelectorAll("[data-copies]")
  );
  Object.values(texts).forEach((element, i) => {
    buttons[i].onclick = () => copyText(buttons[i], element);
  });
}

/** @param {HTMLButtonElement} button @param {HTMLElement} element */
async function copyText(button, element) {
  try {
    await navigator.clipboard.writeText(element.textContent ?? "");
    setText(button, "Copied");
  } catch {
    getSelection()?.selectAllChildren(element);
    setText(button, "Selected");
  }
  setTimeout(() => setText(button, "Copy"), COPIED_TIME);
}

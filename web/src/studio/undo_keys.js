/** Keys for undo and redo. */

import { redo, undo } from "./work.js";

const TEXT_FIELDS = "[type=text], [type=search]";

/**
 * The text field being edited, in which the browser itself handles undo.
 *
 * @type {EventTarget | null}
 */
let editedField = null;

export function listenToUndoKeys() {
  addEventListener("input", ({ target }) => {
    editedField = target instanceof Element && target.matches(TEXT_FIELDS) ? target : null;
  });
  addEventListener("change", () => (editedField = null));
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (!["y", "z"].includes(key) || editedField === event.target) return;
    event.preventDefault();
    (key === "y" || event.shiftKey ? redo : undo)();
  });
}

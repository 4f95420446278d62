/** Elements, buttons and keys of a page. */

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Finds the elements of a page by their ids; each must be of its kind.
 *
 * @template {Record<string, new () => HTMLElement>} Kinds
 * @param {Kinds} kinds
 */
export function findElements(kinds) {
  const elements = Object.entries(kinds).map(([id, kind]) => [id, requireElement(id, kind)]);
  return /** @type {{ [Id in keyof Kinds]: InstanceType<Kinds[Id]> }} */ (
    Object.fromEntries(elements)
  );
}

/**
 * Finds the element with an id; it must be of its kind.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
export function requireElement(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw Error(`the page has no ${kind.name} "${id}"`);
}

/**
 * Finds the elements of a kind that a selector matches.
 *
 * @template {Element} Kind
 * @param {string} selector
 * @param {new () => Kind} kind
 * @param {ParentNode} [where]
 */
export const findAll = (selector, kind, where = document) =>
  [...where.querySelectorAll(selector)].flatMap((element) =>
    element instanceof kind ? [element] : [],
  );

/**
 * Finds the first element of a kind that a selector matches; there must be one.
 *
 * @template {Element} Kind
 * @param {string} selector
 * @param {new () => Kind} kind
 * @param {ParentNode} [where]
 */
export function findFirst(selector, kind, where = document) {
  const [element] = findAll(selector, kind, where);
  if (element) return element;
  throw Error(`the page has no ${kind.name} "${selector}"`);
}

/**
 * Finds the parts of an element by their classes; each must be of its kind.
 *
 * @template {Record<string, new () => HTMLElement>} Kinds
 * @param {HTMLElement} parent
 * @param {Kinds} kinds
 */
export function findParts(parent, kinds) {
  const parts = Object.entries(kinds).map(([name, kind]) => [
    name,
    findFirst(`.${name}`, kind, parent),
  ]);
  return /** @type {{ [Name in keyof Kinds]: InstanceType<Kinds[Name]> }} */ (
    Object.fromEntries(parts)
  );
}

/**
 * Returns the data in a page's element.
 *
 * @param {string} id
 */
export const readData = (id) => JSON.parse(requireElement(id, HTMLScriptElement).textContent ?? "");

/**
 * Sets the text of a live region only if it changes, so that screen readers do not repeat it.
 *
 * @param {HTMLElement} region
 * @param {string} text
 */
export function setText(region, text) {
  if (region.textContent !== text) region.textContent = text;
}

/**
 * Sets the click handlers of buttons, given by the buttons' ids.
 *
 * @param {Record<string, () => void>} handlers
 */
export function listenToButtons(handlers) {
  for (const [id, act] of Object.entries(handlers))
    requireElement(id, HTMLButtonElement).onclick = () => act();
}

/**
 * Handles keys, such as "z" and "ctrl z"; `handlersFor` gets the step size, 10 with shift, else 1.
 * Keys for a focused button or list, or an open dialog, are left to the browser.
 *
 * @param {(step: number) => Record<string, () => void>} handlersFor
 */
export function listenToKeys(handlersFor) {
  const { help } = findElements({ help: HTMLDialogElement });
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    const target = /** @type {Element} */ (event.target);
    if (help.open || event.altKey || target.matches("select")) return;
    if (target.matches("button") && [" ", "Enter"].includes(key)) return; // these press the button
    const name = event.ctrlKey || event.metaKey ? `ctrl ${key}` : key;
    const handler = handlersFor(event.shiftKey ? 10 : 1)[name];
    if (!handler) return;
    event.preventDefault();
    handler();
  });
}

// Shared by all pages: elements, texts, buttons and keys

const ui = {};
for (const element of document.querySelectorAll("[id]")) ui[element.id] = element;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;

// The texts of the page's language, by section and name; see lightsanim/options/page_words.py.
const texts = JSON.parse(ui.texts?.textContent ?? "{}"), language = document.documentElement.lang || "en";
const pluralRules = new Intl.PluralRules(language), numberFormat = new Intl.NumberFormat(language);
const listFormat = new Intl.ListFormat(language);
const formatNumber = (number) => numberFormat.format(number);

// Returns the text of a `section.name`, with values in place of its {placeholders}.
function localize(name, values = {}) {
  const [section, ...rest] = name.split(".");
  return texts[section][rest.join(".")].replace(/\{(\w+)\}/g, (_, value) => values[value]);
}

// Returns a text in the plural form of a number, which replaces {n}.
function localizeCount(name, number, values = {}) {
  const [section, key] = name.split("."), form = `${key}.${pluralRules.select(number)}`;
  return localize(form in texts[section] ? `${section}.${form}` : `${name}.other`, { ...values, n: formatNumber(number) });
}

// Only for pages that exist in English alone.
const plural = (number, word) => `${formatNumber(number)} ${word}${number === 1 ? "" : "s"}`;

const clicksText = (number) => localizeCount("messages.clicks", number);

// Cells of the board, whose size is in the page's variables `rows` and `columns`.
const rowOf = (cell) => Math.floor(cell / columns);
const columnOf = (cell) => cell % columns;
const describeCell = (cell) => localize("messages.place", { row: rowOf(cell) + 1, column: columnOf(cell) + 1 });
const clampIndex = (place, side) => Math.min(Math.max(place, 0), side - 1);
const modulo = (place, side) => ((place % side) + side) % side; // around a torus

// Returns the cell at a row and a column, or the nearest cell of the board.
const nearestCell = (row, column) => clampIndex(row, rows) * columns + clampIndex(column, columns);

// Sets the text of a live region only if it changes, so that screen readers do not repeat it.
function setText(region, text) {
  if (region.textContent !== text) region.textContent = text;
}

// Sets the click handlers of buttons, given by the buttons' ids.
function listenToButtons(handlers) {
  for (const id in handlers) ui[id].onclick = handlers[id];
}

// Handles keys, such as "z" and "ctrl z"; `handlersFor` gets the step size, 10 with shift, else 1.
// Keys for a focused button or list, or an open dialog, are left to the browser.
function listenToKeys(handlersFor) {
  document.addEventListener("keydown", (event) => {
    const { target, key } = event, name = event.ctrlKey || event.metaKey ? `ctrl ${key}` : key;
    if (ui.help.open || event.altKey || target.matches("select")) return;
    if (target.matches("button") && [" ", "Enter"].includes(key)) return; // these press the button
    const handler = handlersFor(event.shiftKey ? 10 : 1)[name];
    if (!handler) return;
    event.preventDefault();
    handler();
  });
}

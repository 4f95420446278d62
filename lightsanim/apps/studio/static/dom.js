// Helper functions: create elements and icons, limit how often a function is called.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") || (name in element && typeof value !== "string")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  minus: "M5 12h14",
  plus: "M5 12h14M12 5v14",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  grip: "M9 5v.01M15 5v.01M9 12v.01M15 12v.01M9 19v.01M15 19v.01",
  close: "M6 6l12 12M18 6L6 18",
  back: "M4 4v5h5M4.6 9a8 8 0 1 1-.6 5",
  dice: "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8.5 8.5v.01M15.5 8.5v.01M12 12v.01M8.5 15.5v.01M15.5 15.5v.01",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export const iconButton = (name, label, onclick, props = {}) =>
  h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...props }, icon(name));

// A group of radio buttons; each of `labels` is [value, ...children of the label].
let groups = 0;
export function radios({ legend, labels, onchange, name = `group-${groups++}`, ...props }) {
  const inputs = new Map(); // radio buttons by value
  const tiles = labels.map(([value, ...children]) => {
    const input = h("input", { type: "radio", name, value: String(value), onchange: () => onchange(value) });
    inputs.set(value, input);
    return h("label", {}, input, h("span", {}, ...children));
  });
  const set = (value) => inputs.forEach((input, own) => (input.checked = own === value));
  const element = h("fieldset", props, h("legend", { class: "unseen" }, legend), ...tiles);
  return { element, set };
}

// Returns a function that runs `act` once it has not been called for some milliseconds.
export function debounce(milliseconds, act) {
  let timer;
  const delayed = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), milliseconds);
  };
  delayed.cancel = () => clearTimeout(timer);
  return delayed;
}

// Returns a function that runs `act(signal)`, and once more if it is called during the run, so that
// dragging shows intermediate results.  A call aborts a run that takes longer than MAX_RUN_TIME.
const MAX_RUN_TIME = 1000; // milliseconds
export function latestOnly(act) {
  let running = null, again = false;
  async function run() {
    if (running) {
      again = true;
      if (performance.now() - running.start > MAX_RUN_TIME) running.abort.abort();
      return;
    }
    running = { abort: new AbortController(), start: performance.now() };
    again = false;
    const giveUp = setInterval(() => again && run(), MAX_RUN_TIME / 4);
    await act(running.abort.signal);
    clearInterval(giveUp);
    running = null;
    if (again) run();
  }
  return run;
}

export function drawBitmap(canvas, bitmap) {
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
}

export const $ = (id) => document.getElementById(id);
export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/* "animations.js" sets `animations`, a list of cards in the default order:
   slug, name     the folder; the title or the names of the pictures
   words          the text in which the search looks
   rows, columns, clicks, wrong    numbers to sort by
   series         the name of the series, or null
   named, made    ranks by name, and by age (the oldest first)
   A folder's "film.js" sets `films[slug]`; "web/templates/film.js" describes its format. */
const find = (selector, where = document) => where.querySelector(selector);
const findAll = (selector, where = document) => [...where.querySelectorAll(selector)];
// `root` is the path to the site's folder; the wall of a series has only the cards of the series.
const { root, series, slug } = document.body.dataset;
const cards = series ? window.animations.filter((card) => card.series === series) : window.animations;
window.films = {};

const MAX_WALL_TIME = 6; // seconds; longer films play faster on the wall
const MAX_WASTE = 0.18; // share of its box that a board may leave empty so that cells have whole pixels

const EXHIBITION_TIME = { least: 12, most: 60 }; // seconds for which the exhibition shows a film

// Search and sorting; the URL's fragment stores both

const SORTS = {
  hung: () => 0,
  name: (card) => card.named,
  newest: (card) => -card.made,
  clicks: (card) => -card.clicks,
  fewest: (card) => card.clicks,
  largest: (card) => -card.rows * card.columns,
  smallest: (card) => card.rows * card.columns,
  wrong: (card) => -card.wrong,
  exact: (card) => card.wrong,
};
const normalizeText = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
for (const card of cards) card.words = normalizeText(card.words);

function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1)), sort = words.get("sort");
  return { sort: Object.hasOwn(SORTS, sort) ? sort : "hung", find: words.get("find") ?? "" };
}

function formatAddress({ sort, find }) {
  const words = new URLSearchParams();
  if (sort !== "hung") words.set("sort", sort);
  if (find.trim()) words.set("find", find);
  return `${words}` && `#${words}`;
}

// Cards that match the search, sorted; cards with equal numbers keep their order.
function arrangeCards({ sort, find }) {
  const terms = normalizeText(find).split(/\s+/), value = SORTS[sort];
  const matches = cards.filter((card) => terms.every((term) => card.words.includes(term)));
  return matches.sort((one, other) => value(one) - value(other));
}

const pageAddress = (card, address) => `${root}${card.slug}/index.html${address}`;

// Boards: stills with one pixel for each cell, painted as in the player

function attachCanvas(work) {
  const board = JSON.parse(work.closest("[data-look]").dataset.look), image = find("img", work);
  const canvas = (work.canvas ??= document.createElement("canvas"));
  const { width, height } = work.getBoundingClientRect();
  fitCanvases(width, height, board, board, [canvas], MAX_WASTE);
  canvas.ariaHidden = true;
  const paint = (picture = image) => paintBoard(board, board, canvas, picture);
  const show = () => {
    if (!canvas.width) return; // detached before the image loaded
    work.append(canvas);
    work.parentElement.style.setProperty("--shown", canvas.style.width);
    paint();
  };
  if (image.complete && image.naturalWidth) show(); // the width may be known before the image has loaded
  else image.addEventListener("load", show, { once: true });
  return { board, canvas, paint };
}

// The wall

// Items by element.  `hung` are the painted boards of the first and last still, while near the
// screen; `awake` is whether the film should play over the last still; `loading` and `film` are set
// once the film was requested; `playing` is the state of the playing film.
const items = new Map();
const playingItems = new Set();

function attachItem(item) {
  item.hung ??= findAll(".work", item.link).map(attachCanvas);
  startFilm(item);
}

function detachItem(item) {
  stopFilm(item);
  for (const { canvas } of item.hung ?? []) {
    canvas.width = 0; // releases the canvas's memory at once
    canvas.remove();
  }
  item.hung = null;
}

const loadFilm = (slug) => new Promise((resolve) => {
  const script = document.createElement("script");
  script.src = `${root}${slug}/film.js`;
  script.onload = () => resolve(readFilm(films[slug]));
  script.onerror = () => resolve(null);
  document.head.append(script);
});

async function startPreview(item) {
  if (item.awake || reducedMotion) return;
  item.awake = true;
  item.loading ??= loadFilm(item.card.slug);
  item.film = await item.loading;
  startFilm(item);
}

function startFilm(item) {
  const { awake, film, hung } = item;
  if (!awake || !film || film.flashes || !hung || item.playing) return;
  const { pitch, mask, hole } = hung.at(-1).board;
  item.playing = { ...createState(film), pitch, mask, hole };
  item.link.classList.add("awake");
  playingItems.add(item);
  paintItem(item);
  animate((seconds) => {
    for (const item of playingItems) playFor(item, seconds);
    return playingItems.size > 0;
  }, playingItems);
}

function stopFilm(item) {
  playingItems.delete(item);
  item.playing = null;
  item.link.classList.remove("awake");
}

function stopPreview(item) {
  item.awake = false;
  stopFilm(item);
  item.hung?.at(-1).paint();
}

function playFor(item, seconds) {
  const { film, playing: state, longest = MAX_WALL_TIME } = item;
  if (advance(film, state, seconds * Math.max(1, film.starts.at(-1) / longest))) paintItem(item);
}

function paintItem({ film, playing: state, hung, link }) {
  paintState(film, state, hung.at(-1).canvas);
  link.style.setProperty("--share", film.count && state.done / film.count);
}

// Calls `onEnter` or `onLeave` when an item enters or leaves a part of the screen.
function watchVisibility(rootMargin, onEnter, onLeave) {
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      (isIntersecting ? onEnter : onLeave)(items.get(target));
  }, { rootMargin });
  for (const element of items.keys()) observer.observe(element);
}

// Previews start under the mouse or by focus; on touch screens, in the middle of the screen.
function listenToItems(list) {
  const itemOf = ({ target }) => items.get(target.closest?.("li"));
  const on = (type, act) =>
    list.addEventListener(type, (event) => itemOf(event) && act(itemOf(event), event));
  const onMouse = (type, act) =>
    on(type, (item, event) => event.pointerType === "mouse" && act(item, event));
  onMouse("pointerover", startPreview);
  onMouse("pointerout", (item, { relatedTarget }) => {
    if (!item.link.contains(relatedTarget)) stopPreview(item);
  });
  on("focusin", startPreview);
  on("focusout", stopPreview);
  if (matchMedia("(hover: none)").matches && !reducedMotion)
    watchVisibility("-49% 0px", startPreview, stopPreview);
}

// Arrow keys move the focus between cards of the grid.
function listenToArrows(list) {
  list.addEventListener("keydown", (event) => {
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const links = findAll("li:not([hidden]) > a", list);
    event.preventDefault();
    links[links.indexOf(document.activeElement) + step]?.focus();
  });
}

function showWall() {
  const form = find("form"), list = find(".works"), nothing = find(".nothing");
  const elements = findAll("li", list), elementOf = new Map(), status = find("[role=status]", form);
  elements.forEach((element, i) => {
    elementOf.set(cards[i], element);
    items.set(element, { card: cards[i], link: element.firstElementChild });
  });

  function arrange() {
    const state = { sort: form.sort.value, find: form.find.value }, found = arrangeCards(state);
    for (const element of elements) element.hidden = true;
    for (const card of found) elementOf.get(card).hidden = false;
    list.append(...found.map((card) => elementOf.get(card)));
    nothing.hidden = found.length > 0;
    const all = plural(cards.length, "animation");
    setText(status, found.length === cards.length ? all : `${formatNumber(found.length)} of ${all}`);
    keepAddress(formatAddress(state));
  }

  function readFromAddress() {
    ({ sort: form.sort.value, find: form.find.value } = readAddress());
    arrange();
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", arrange);
  find("button", nothing).onclick = () => {
    form.find.value = "";
    arrange();
    form.find.focus();
  };
  addEventListener("hashchange", readFromAddress);
  addEventListener("pageshow", readFromAddress); // the browser may have restored old values of the form
  readFromAddress();
  watchVisibility("300px 0px", attachItem, detachItem);
  listenToItems(list);
  listenToArrows(list);
  onResize(() => {
    for (const item of items.values()) {
      if (!item.hung) continue;
      detachItem(item);
      attachItem(item);
    }
  });
}

// Puts search and sorting into the URL and the links, so that pages lead back to the same wall.
function keepAddress(address) {
  for (const { card, link } of items.values()) link.setAttribute("href", pageAddress(card, address));
  const { pathname, search, hash } = location;
  if (address !== hash) history.replaceState(null, "", address || pathname + search);
}

// Calls `act` on a resize, except if only the height changes, as when a phone's toolbars appear.
function onResize(act) {
  const size = () => `${innerWidth} ${devicePixelRatio} ${document.fullscreenElement}`;
  let before = size();
  addEventListener("resize", () => {
    if (size() === before) return;
    before = size();
    act();
  });
}

// The page of one animation

function showPage(slug) {
  const address = formatAddress(readAddress());
  find("nav a").setAttribute("href", `../index.html${address}`);
  const chosen = arrangeCards(readAddress());
  const among = chosen.some((card) => card.slug === slug) ? chosen : cards;
  const here = among.findIndex((card) => card.slug === slug);
  for (const [way, card] of [["prev", among[here - 1]], ["next", among[here + 1]]]) {
    const link = find(`[rel=${way}]`);
    if (!card) continue;
    link.hidden = false;
    link.setAttribute("href", pageAddress(card, address));
    link.textContent = way === "prev" ? `‹ ${card.name}` : `${card.name} ›`;
    link.ariaLabel = `${way === "prev" ? "Previous" : "Next"}: ${card.name}`;
  }
  const hangAll = () => findAll(".work").forEach(attachCanvas);
  hangAll();
  onResize(hangAll);
  listenToCopy(find(".copy"));
  listenToPlayer(find("iframe"));
}

// The player reports the height of its controls, which differs between the film and the game. It is
// asked once, as it may have reported before this script ran.
function listenToPlayer(frame) {
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || !(data.controls > 0)) return;
    frame.style.setProperty("--controls", `${Math.min(data.controls, 1000)}px`);
  });
  frame.contentWindow.postMessage({ do: "measure" }, "*");
}

function listenToCopy(button) {
  const code = find(".recipe code"), status = find(".recipe [role=status]");
  button.hidden = false;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      status.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(code);
      status.textContent = "Selected; copy it with the keyboard.";
    }
  };
}

// The exhibition: repeats a film until its minimum time is over, then shows the next film

function showExhibition() {
  const sections = findAll("section"), bar = find("nav div");
  const [previous, pause, next, full] = findAll("button", bar);
  let at = 0, item = null, timer = 0, paused = false;

  async function show(place) {
    clearTimeout(timer);
    if (item) detachItem(item);
    at = (place + sections.length) % sections.length;
    sections.forEach((section, i) => { section.hidden = i !== at; });
    const now = (item = { card: cards[at], link: sections[at], awake: !reducedMotion, longest: EXHIBITION_TIME.most });
    now.hung = [attachCanvas(find(".work", now.link))];
    if (!reducedMotion) now.film = await loadFilm(now.card.slug);
    if (now !== item || paused) return;
    startFilm(now);
    const seconds = Math.min(now.film?.starts.at(-1) || EXHIBITION_TIME.least, EXHIBITION_TIME.most);
    const turns = Math.ceil(EXHIBITION_TIME.least / seconds);
    timer = setTimeout(() => show(at + 1), turns * seconds * 1000);
  }

  function togglePause() {
    paused = !paused;
    pause.textContent = paused ? "Play" : "Pause";
    if (!paused) return show(at);
    clearTimeout(timer);
    stopFilm(item);
  }

  const acts = { ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1), p: togglePause };
  bar.hidden = false;
  previous.onclick = acts.ArrowLeft;
  next.onclick = acts.ArrowRight;
  pause.onclick = togglePause;
  full.onclick = () => document.documentElement.requestFullscreen();
  full.hidden = !document.fullscreenEnabled;
  addEventListener("keydown", ({ key }) => acts[key]?.());
  document.addEventListener("fullscreenchange", () => navigator.wakeLock?.request("screen").catch(() => {}));
  onResize(() => show(at));
  show(0);
}

// Read-only state of the playing films, for tests.
const describeItem = ({ card: { slug }, playing: { done, shades } }) => ({ slug, done, shades: [...shades] });
window.gallery = Object.freeze({ playing: () => [...playingItems].map(describeItem) });

if (slug) showPage(slug);
else if (document.body.matches(".exhibition")) showExhibition();
else showWall();

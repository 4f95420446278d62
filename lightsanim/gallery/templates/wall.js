/* "animations.js" sets `animations`: of each, as they are arranged,
   slug, name     its folder, and what it is called
   words          what it is found by
   rows, columns, clicks, wrong    numbers to sort by
   series         what it belongs to, or null
   named, made    its place in the order of names, and among all from the oldest
   A folder's "film.js" adds to `films`, by its slug, what "film.js" in the program explains. */
const find = (selector, where = document) => where.querySelector(selector);
const findAll = (selector, where = document) => [...where.querySelectorAll(selector)];
// The folder of the site from here; on the wall of a series, its works alone.
const { root, series, slug } = document.body.dataset;
const cards = series ? window.animations.filter((card) => card.series === series) : window.animations;
window.films = {};

// How long a film takes on the wall, at most, in seconds; and how much of its place a board may
// leave empty so that its cells are whole pixels.
const MAX_WALL_TIME = 6;
const MAX_WASTE = 0.18;

// The fewest and the most seconds that a film has at an exhibition.
const EXHIBITION_TIME = { least: 12, most: 60 };

// Search and order, kept in the address after its #

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

// Cards with equal numbers keep their order.
function arrangeCards({ sort, find }) {
  const terms = normalizeText(find).split(/\s+/), value = SORTS[sort];
  const matches = cards.filter((card) => terms.every((term) => card.words.includes(term)));
  return matches.sort((one, other) => value(one) - value(other));
}

const pageAddress = (card, address) => `${root}${card.slug}/index.html${address}`;

// Boards: a picture with a pixel for each cell is painted as the player would

function attachCanvas(work) {
  const board = JSON.parse(work.closest("[data-look]").dataset.look), image = find("img", work);
  const canvas = (work.canvas ??= document.createElement("canvas"));
  const { width, height } = work.getBoundingClientRect();
  fitCanvases(width, height, board, board, [canvas], MAX_WASTE);
  canvas.ariaHidden = true;
  const paint = (picture = image) => paintBoard(board, board, canvas, picture);
  const show = () => {
    if (!canvas.width) return; // it was taken down before its picture came
    work.append(canvas);
    work.parentElement.style.setProperty("--shown", canvas.style.width);
    paint();
  };
  if (image.complete && image.naturalWidth) show(); // its size alone is known earlier
  else image.addEventListener("load", show, { once: true });
  return { board, canvas, paint };
}

// The wall

// By element: card, link; hung: its painted boards, the first and the last picture, while they are
// near the screen; awake: whether its film is to run, in place of the last picture; loading and
// film, once wanted; playing: the film's state.
const items = new Map();
const playingItems = new Set();

function attachItem(item) {
  item.hung ??= findAll(".work", item.link).map(attachCanvas);
  startFilm(item);
}

function detachItem(item) {
  stopFilm(item);
  for (const { canvas } of item.hung ?? []) {
    canvas.width = 0; // an empty one gives its memory back at once
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
  if (!awake || !film || !hung || item.playing) return;
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

// Calls `enter` and `leave` with items that come to a part of the screen and go.
function watchVisibility(rootMargin, onEnter, onLeave) {
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      (isIntersecting ? onEnter : onLeave)(items.get(target));
  }, { rootMargin });
  for (const element of items.keys()) observer.observe(element);
}

// The mouse, the keyboard, and the middle of a screen that is touched.
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

// Arrows lead from board to board as they hang.
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
  addEventListener("pageshow", readFromAddress); // the browser may have filled in the form by itself
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

// In the address, and in the links, so that the pages lead back to the same wall.
function keepAddress(address) {
  for (const { card, link } of items.values()) link.setAttribute("href", pageAddress(card, address));
  const { pathname, search, hash } = location;
  if (address !== hash) history.replaceState(null, "", address || pathname + search);
}

// A phone's bars come and go without a change of the width.
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

// It tells how high its controls are; those of the game are higher than the film's.
function listenToPlayer(frame) {
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || !(data.controls > 0)) return;
    frame.style.setProperty("--controls", `${Math.min(data.controls, 1000)}px`);
  });
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

// The exhibition: each film as often as fits, then the next

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

// For tests: to look, not to touch.
const describeItem = ({ card: { slug }, playing: { done, shades } }) => ({ slug, done, shades: [...shades] });
window.gallery = Object.freeze({ playing: () => [...playingItems].map(describeItem) });

if (slug) showPage(slug);
else if (document.body.matches(".exhibition")) showExhibition();
else showWall();

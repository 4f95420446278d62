// Runs in the studio's page before its scripts: time passes, and requests are answered, when a
// test says so.
const lab = { calls: [], sources: [], downloads: [], isReal: true };
window.lab = lab;

let now = 0, count = 0;
const timers = new Map(), laterOn = window.setTimeout.bind(window), realFetch = window.fetch.bind(window);
const schedule = (act, delay = 0, every = null) => (timers.set(++count, { act, at: now + delay, every }), count);
window.setTimeout = (act, delay) => schedule(act, delay);
window.setInterval = (act, delay) => schedule(act, delay, delay);
window.clearTimeout = window.clearInterval = (id) => timers.delete(id);
performance.now = () => now;
lab.settle = async () => {
  for (let n = 0; n < 10; n++) {
    const { port1, port2 } = new MessageChannel();
    await new Promise((done) => (port1.onmessage = done, port2.postMessage(n)));
  }
};
lab.pass = async (time) => {
  for (const end = now + time; ; ) {
    const [due] = [...timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at);
    now = due ? due[1].at : end;
    if (!due) return lab.settle();
    if (due[1].every) due[1].at += due[1].every;
    else timers.delete(due[0]);
    due[1].act();
    await lab.settle();
  }
};

window.fetch = (path, options = {}) => lab.isReal ? realFetch(path, options) : new Promise((done, failed) => {
  const { method = "GET", headers = {}, body, signal, keepalive } = options;
  const json = typeof body === "string" ? JSON.parse(body) : body;
  const answer = (status, content, named) => {
    const isBare = [204, 409].includes(status);
    done(new Response(isBare ? null : JSON.stringify(content), { status, headers: named }));
    return lab.settle();
  };
  const fail = (error = new TypeError("no network")) => (failed(error), lab.settle());
  const call = { method, path, headers, body: json, keepalive, answer, fail, isAborted: false };
  signal?.addEventListener("abort", () => (call.isAborted = true, failed(new DOMException("", "AbortError"))));
  lab.calls.push(call);
});
Response.prototype.blob = async () => null;
window.createImageBitmap = async () => new ImageData(20, 16);
CanvasRenderingContext2D.prototype.drawImage = () => {};
ImageData.prototype.close = () => {};
const RealEventSource = window.EventSource;
window.EventSource = function (path) {
  if (lab.isReal) return new RealEventSource(path);
  const listeners = {};
  const source = { path, listeners, readyState: 1, isClosed: false };
  source.addEventListener = (kind, act) => (listeners[kind] = act);
  source.close = () => (source.isClosed = true);
  source.tell = (kind, facts) => listeners[kind]({ data: JSON.stringify(facts) });
  lab.sources.push(source);
  return source;
};
window.EventSource.CLOSED = 2;

// What tests say.
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const element = (thing) => typeof thing === "string" ? document.querySelector(thing) : thing;
const isAt = (call, path) => call.path === path || (/[/?]$/.test(path) && call.path.startsWith(path));
Object.assign(lab, {
  all, element,
  text: (selector) => element(selector).textContent,
  texts: (selector) => all(selector).map((each) => each.textContent),
  seen: (selector) => all(selector).filter((each) => each.checkVisibility()),
  row: (name) => element(`.row[data-name=${name}]`),
  input: (name) => element(`.row[data-name=${name}] input:not([type=range], [type=color])`),
  called: (path) => lab.calls.findLast((call) => isAt(call, path)),
  count: (path) => lab.calls.filter((call) => isAt(call, path)).length,
  until: async (condition) => {
    while (!condition()) await new Promise((done) => laterOn(done));
  },
  fire: (thing, kind, facts = {}, Kind = Event) => {
    const event = Object.assign(new Kind(kind, { bubbles: true, cancelable: true, ...facts }), Kind === Event ? facts : {});
    (element(thing) ?? window).dispatchEvent(event);
    return event.defaultPrevented;
  },
  key: (thing, name, facts = {}) => lab.fire(thing, "keydown", { key: name, ...facts }, KeyboardEvent),
  type: (thing, value, kinds = ["input", "change"]) => {
    element(thing).value = value;
    for (const kind of kinds) lab.fire(thing, kind);
  },
  nameless: (address) => address.replace(/page=\w{5,}/, "page="), // without the random id of the page
  round: (value) => JSON.parse(JSON.stringify(value), (_, each) => typeof each === "number" ? Number(each.toFixed(3)) : each),
});
HTMLAnchorElement.prototype.click = function () {
  lab.downloads.push([this.getAttribute("href"), this.getAttribute("download")]);
};

// Reads rows.js: scripts by the name of their table, each with what it returns.
const tables = {};
lab.load = async (text) => {
  document.documentElement.style.opacity = 0; // painting takes a fifth of the time
  const names = ["api", "controls", "dom", "film", "options", "part", "pictures", "problems", "save", "work"];
  const modules = await Promise.all(names.map((name) => import(`/static/${name}.js`)));
  const still = { kind: "still", seconds: null }, a = { ...still, id: "a", name: "face.png", width: 40, height: 30 };
  const b = { ...still, id: "b", name: "b.png", width: 30, height: 40 };
  const clip = { id: "clip", name: "dance.mp4", kind: "clip", seconds: 10, fps: 25, width: 40, height: 40 };
  const scope = Object.assign(lab, ...modules, { a, b, clip, tables });
  lab.begin = (pictures, values = {}, own = {}, others = {}) => scope.restore({
    pictures: structuredClone(pictures), looks: { A: { values: { seed: 3, ...values }, own }, B: null }, ...others });
  lab.unfit = (name, id) => scope.unfitReason(scope.table.options.get(name), scope.look(), id);
  lab.ids = () => scope.current().pictures.map(({ id }) => id).join("");
  new Function("scope", `with (scope) { ${text} }`)(scope);
  lab.isReal = false;
};

// Runs a table: each script, what it returned, and what it should.
lab.run = async (name) => {
  const rows = [];
  for (const [script, expected] of tables[name]) {
    timers.clear();
    now += 1e6;
    lab.begin([]);
    for (const frame of all("iframe")) frame.remove();
    await Promise.all(lab.calls.map((call) => call.fail(new DOMException("", "AbortError"))));
    await lab.settle();
    for (const list of [lab.calls, lab.sources, lab.downloads]) list.length = 0;
    lab.begin([lab.a, lab.b]);
    const late = new Promise((_, fail) => laterOn(() => fail(Error("no end")), 20000));
    const output = await Promise.race([(async () => script())(), late]).catch(String);
    rows.push([`${script}`, structuredClone(output) ?? null, expected]);
  }
  return rows;
};

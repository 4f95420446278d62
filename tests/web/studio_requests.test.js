import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";

import { debounce } from "../../web/src/page/debounce.js";
import * as api from "../../web/src/studio/api.js";
import { latestOnly } from "../../web/src/studio/latest_only.js";
import { setValue } from "../../web/src/studio/look.js";
import * as sync from "../../web/src/studio/sync.js";
import { waitUntilIdle } from "../../web/src/studio/urgent.js";
import { canUndo, current, look, undo } from "../../web/src/studio/work.js";
import { a, b, begin } from "./studio_table.js";

/**
 * @typedef {object} Call
 * @property {string} path
 * @property {RequestInit & { headers: Record<string, string>, body: string }} sent
 * @property {(answer: Response) => void} done
 * @property {(error: Error) => void} failed
 */

/** @type {Call[]} */
let calls = [];
let now = 0;

const { setImmediate: realSetImmediate } = globalThis;
const settle = () => new Promise((done) => realSetImmediate(done));

/** Lets time pass, and what waits for it happen. */
async function pass(/** @type {number} */ milliseconds) {
  for (const end = now + milliseconds; now < end;) {
    const step = Math.min(10, end - now);
    now += step;
    mock.timers.tick(step);
    await settle();
  }
}

beforeEach(() => {
  calls = [];
  now += 1e6;
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  mock.method(performance, "now", () => now);
  mock.method(
    globalThis,
    "fetch",
    (/** @type {string} */ path, /** @type {Call["sent"]} */ sent) =>
      new Promise((done, failed) => {
        calls.push({ path, sent, done, failed });
        sent?.signal?.addEventListener("abort", () => failed(new DOMException("", "AbortError")));
      }),
  );
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** Answers the latest request. */
async function answer(
  /** @type {number} */ status,
  /** @type {unknown} */ content = null,
  /** @type {Record<string, string>} */ headers = {},
) {
  const body = [204, 304].includes(status) ? null : JSON.stringify(content);
  calls.at(-1)?.done(new Response(body, { status, headers }));
  await settle();
}

/** @param {string} key */
const header = (key) => calls.at(-1)?.sent.headers[key];

describe("addresses", () => {
  test("of thumbnails have the second of a clip's frame", () => {
    assert.equal(api.thumbAddress("a b"), "pictures/a%20b/thumb");
    assert.match(api.thumbAddress("a", 1.5), /^pictures\/a\/thumb\?at=1.5&page=\w{5,}$/);
  });

  test("of files, examples, players and saves", () => {
    assert.equal(api.fileAddress("a"), "pictures/a/file");
    assert.equal(api.exampleAddress("fit", "cover"), "examples/fit/cover.png");
    assert.equal(api.playerAddress("f 1"), "films/f%201/player#embedded");
    assert.equal(api.eventsAddress("s 1"), "saves/s%201/events");
  });
});

describe("a request", () => {
  test("names the page, and the type of its body if that is JSON", async () => {
    api.getSnippets(/** @type {any} */ ({}), new AbortController().signal);
    assert.equal(header("Content-Type"), "application/json");
    const page = header("X-Page");
    assert.match(String(page), /^\w{6,}$/);
    api.addPicture(/** @type {any} */ (new Blob(["x"])), "a b.png");
    assert.deepEqual(
      [calls.at(-1)?.path, header("Content-Type"), header("X-Page")],
      ["pictures?name=a%20b.png", undefined, page],
    );
    await answer(200, {});
  });

  test("that is refused fails with the server's message, option and picture", async () => {
    const promise = api.startSave(/** @type {any} */ ({}));
    answer(400, { error: "it is large", about: "max_bytes", picture: "a" });
    const expected = { message: "it is large", status: 400, about: "max_bytes", picture: "a" };
    await assert.rejects(promise, expected);
  });

  test("that is refused without a message fails with its status", async () => {
    const promise = api.startSave(/** @type {any} */ ({}));
    answer(500, "");
    await assert.rejects(promise, { message: "The studio answered 500." });
  });

  test("that has no answer is told, and so is the next answer", async () => {
    /** @type {boolean[]} */
    const reports = [];
    api.onGone((isGone) => reports.push(isGone));
    const lost = api.getProgress();
    calls[0].failed(new TypeError("no network"));
    await assert.rejects(lost, (error) => api.isGone(error));
    const found = api.getProgress();
    answer(200, {});
    await found;
    assert.deepEqual(reports, [true, false]);
  });

  test("that is aborted or superseded is stale, and not told", async () => {
    const abort = new AbortController();
    api.onGone(() => assert.fail("the server has not gone"));
    const aborted = api.getSnippets(/** @type {any} */ ({}), abort.signal);
    abort.abort();
    await assert.rejects(aborted, (error) => api.isStale(error) && !api.isGone(error));
    api.onGone(() => {});
    const superseded = api.getProgress();
    answer(409, {});
    await assert.rejects(superseded, (error) => api.isStale(error));
    const refused = api.getProgress();
    answer(400, {});
    await assert.rejects(refused, (error) => !api.isStale(error));
  });

  test("of low priority waits for urgent ones, but not for long", async () => {
    api.addPicture(/** @type {any} */ (new Blob()), "x");
    let isIdle = false;
    waitUntilIdle().then(() => {
      isIdle = true;
    });
    await pass(1400);
    assert.equal(isIdle, false);
    await pass(300);
    assert.equal(isIdle, true);
  });
});

describe("of many calls", () => {
  test("the first and the last run, one after the other", async () => {
    /** @type {number[]} */
    const runs = [];
    let at = 0;
    let done = () => {};
    const run = latestOnly(() => {
      runs.push(at);
      return new Promise((resolve) => {
        done = () => resolve();
      });
    });
    for (at of [1, 2, 3]) run();
    for (let n = 0; n < 3; n++) {
      done();
      await settle();
    }
    assert.deepEqual(runs, [1, 3]);
  });

  test("a later one aborts a run that takes long", async () => {
    /** @type {AbortSignal | undefined} */
    let signal;
    const isAborted = () => signal?.aborted;
    const run = latestOnly((given) => {
      signal = given;
      return new Promise(() => {});
    });
    run();
    await pass(1010);
    assert.equal(isAborted(), false);
    run();
    assert.equal(isAborted(), true);
  });

  test("an early one aborts the run once it takes long", async () => {
    /** @type {AbortSignal | undefined} */
    let signal;
    const run = latestOnly((given) => {
      signal = given;
      return new Promise(() => {});
    });
    run();
    await pass(500);
    run();
    assert.equal(signal?.aborted, false);
    await pass(1000);
    assert.equal(signal?.aborted, true);
  });

  test("the last runs after a pause, unless it is cancelled", async () => {
    /** @type {number[]} */
    const runs = [];
    const act = debounce(20, (/** @type {number} */ n) => runs.push(n));
    act(1);
    await pass(10);
    act(2);
    await pass(10);
    act(3);
    await pass(20);
    act(4);
    act.cancel();
    await pass(30);
    assert.deepEqual(runs, [3]);
  });
});

describe("the project at the server", () => {
  /** Begins with a project that the server has as version 1. */
  beforeEach(() => {
    begin([a, b]);
    sync.keepWork(structuredClone(current()), "1");
  });

  const theirs = () => structuredClone(current());
  const sentWork = () => JSON.parse(calls.at(-1)?.sent.body ?? "null");

  test("is replaced after a pause, by its version", async () => {
    setValue("fps", 12);
    sync.saveSoon();
    await pass(390);
    assert.equal(calls.length, 0);
    await pass(10);
    const [{ sent }] = calls;
    assert.deepEqual(
      [sent.method, sent.headers["If-Match"], sent.keepalive, sentWork().looks.A.values.fps],
      ["PUT", "1", false, 12],
    );
    await answer(204, null, { ETag: "2" });
    setValue("fps", 13);
    sync.saveSoon();
    await pass(400);
    assert.equal(header("If-Match"), "2");
    await answer(204, null, { ETag: "3" });
  });

  test("is asked for if this page has not changed it", async () => {
    sync.saveSoon();
    await pass(400);
    assert.deepEqual([calls[0].sent.method, header("If-None-Match")], ["GET", "1"]);
    await answer(304, null, { ETag: "1" });
    assert.deepEqual(look().values, { seed: 3 });
  });

  test("that another page has changed is merged, as a step of undo", async () => {
    setValue("fps", 12);
    sync.saveSoon();
    await pass(400);
    await answer(412, { error: "merge" });
    assert.equal(calls.at(-1)?.sent.method, "GET");
    const other = theirs();
    other.looks.A.values = { seed: 3, gap: 2 };
    await answer(200, other, { ETag: "2" });
    assert.deepEqual(look().values, { seed: 3, fps: 12, gap: 2 });
    sync.saveSoon();
    await pass(400);
    assert.deepEqual([calls.at(-1)?.sent.method, header("If-Match")], ["PUT", "2"]);
    await answer(204, null, { ETag: "3" });
    undo();
    assert.deepEqual(look().values, { seed: 3, fps: 12 });
  });

  test("that only another page has changed is taken over", async () => {
    sync.saveSoon();
    await pass(400);
    const other = theirs();
    other.pictures.pop();
    await answer(200, other, { ETag: "5" });
    assert.deepEqual([current().pictures.map(({ id }) => id), canUndo()], [["a"], true]);
  });

  test("is sent by a request that outlives the page, if it has changed", async () => {
    sync.saveBeforeLeaving();
    assert.equal(calls.length, 0);
    setValue("fps", 12);
    sync.saveBeforeLeaving();
    assert.deepEqual([calls[0].sent.keepalive, sentWork().looks.A.values.fps], [true, 12]);
    await answer(204, null, { ETag: "6" });
  });

  test("can be waited for", async () => {
    setValue("fps", 12);
    let isKept = false;
    sync.waitUntilKept().then(() => {
      isKept = true;
    });
    await settle();
    assert.equal(isKept, false);
    await answer(204, null, { ETag: "7" });
    assert.equal(isKept, true);
  });
});

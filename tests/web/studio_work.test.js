import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { isSet, setValue, valueOf } from "../../web/src/studio/look.js";
import * as work from "../../web/src/studio/work.js";
import { a, b, begin, clip } from "./studio_table.js";

let now = 0;
mock.method(performance, "now", () => now);

beforeEach(() => {
  now += 1e6;
  begin([a, b]);
});

const ids = () =>
  work
    .current()
    .pictures.map(({ id }) => id)
    .join(" ");
const steps = () => [work.canUndo(), work.canRedo()];

describe("undo", () => {
  test("has no steps at first", () => assert.deepEqual(steps(), [false, false]));

  test("takes back quick changes of the same option at once", () => {
    setValue("fps", 12);
    setValue("fps", 13);
    work.undo();
    assert.equal(isSet("fps"), false);
  });

  test("takes back slow changes of the same option one by one", () => {
    setValue("fps", 12);
    now += 801;
    setValue("fps", 13);
    work.undo();
    assert.equal(valueOf("fps"), 12);
  });

  test("takes back changes of two options one by one", () => {
    setValue("fps", 12);
    setValue("gap", 1);
    work.undo();
    assert.deepEqual([isSet("fps"), isSet("gap")], [true, false]);
  });

  test("has no step for a change that changes nothing", () => {
    setValue("gamma", 1);
    assert.equal(work.canUndo(), false);
    setValue("fps", 12);
    setValue("fps", 12);
    work.undo();
    assert.equal(work.canUndo(), false);
  });

  test("keeps the last 200 steps", () => {
    for (let n = 1; n < 250; n++) setValue(n % 2 ? "seed" : "loop", n);
    for (let n = 0; n < 199; n++) work.undo();
    assert.deepEqual([valueOf("seed"), valueOf("loop"), work.canUndo()], [49, 50, true]);
    work.undo();
    assert.deepEqual([valueOf("seed"), valueOf("loop"), work.canUndo()], [49, 48, false]);
  });

  test("takes back a second look", () => {
    setValue("fps", 12);
    work.compare();
    work.undo();
    assert.deepEqual([isSet("fps"), work.slots()], [true, ["A"]]);
  });

  test("separates changes before and after it, and redo makes them again", () => {
    setValue("fps", 12);
    work.undo();
    setValue("fps", 13);
    work.undo();
    work.redo();
    assert.deepEqual([valueOf("fps"), ...steps()], [13, true, false]);
  });

  test("makes redo forget what a new change replaces", () => {
    setValue("fps", 12);
    work.undo();
    setValue("gap", 1);
    assert.equal(work.canRedo(), false);
  });

  test("forgets its steps when another project is opened", () => {
    setValue("fps", 12);
    work.restore(work.current());
    assert.equal(work.canUndo(), false);
  });

  test("goes on with stored steps if they are of this project", () => {
    setValue("fps", 12);
    setValue("gap", 1);
    work.undo();
    const text = work.writeSteps();
    work.restore(work.current());
    work.readSteps(text);
    assert.deepEqual(steps(), [true, true]);
    setValue("gap", 2);
    work.restore(work.current());
    work.readSteps(text);
    work.readSteps("null");
    assert.deepEqual(steps(), [false, false]);
  });

  test("has no step for a change that does not affect the film", () => {
    work.updateWithoutUndo((next) => next.formats.push(".mp4"));
    assert.deepEqual([work.current().formats, work.canUndo()], [[".gif", ".mp4"], false]);
  });
});

test("listeners hear of each change", () => {
  let count = 0;
  work.onChange(() => count++);
  setValue("fps", 12);
  setValue("fps", 12);
  work.undo();
  work.updateWithoutUndo(() => {});
  work.restore(work.current());
  assert.equal(count, 4);
});

describe("a stored project", () => {
  test("gets the members that it lacks", () => {
    work.restore({ pictures: [a], looks: /** @type {any} */ ({}), slot: "B" });
    const { slot, formats, pictures } = work.current();
    assert.deepEqual([work.slots(), slot, formats, pictures[0].view], [["A"], "A", [".gif"], null]);
    assert.match(String(valueOf("seed")), /^\d{1,6}$/);
  });

  test("edits look A if it has no other", () => {
    begin([a], {}, {}, { slot: "B" });
    assert.deepEqual([work.current().slot, valueOf("seed")], ["A", 3]);
  });

  test("of the command line has its pictures with their options", () => {
    work.restore(work.workFromPictures([{ ...a, own: { invert: true } }, b]));
    assert.equal(ids(), "a b");
    assert.deepEqual(work.look().own, { a: { invert: true }, b: {} });
    assert.equal(JSON.stringify(work.pictureOf("a")), JSON.stringify(a));
    assert.deepEqual([isSet("seed"), work.canUndo()], [false, false]);
  });
});

describe("pictures", () => {
  test("move to another place, or to the ends of the order", () => {
    work.movePicture("a", 1);
    assert.equal(ids(), "b a");
    work.addPictures([{ ...clip, pasted: false }]);
    work.movePicture("b", 9);
    assert.equal(ids(), "a clip b");
    work.movePicture("b", -1);
    assert.equal(ids(), "b a clip");
  });

  test("that are added can be undone", () => {
    work.addPictures([{ ...clip, pasted: true }]);
    assert.deepEqual([ids(), work.pictureOf("clip")?.pasted], ["a b clip", true]);
    work.undo();
    assert.equal(ids(), "a b");
  });

  test("that are removed lose their options in both looks, and undo brings these back", () => {
    setValue("detail", 2, "a");
    work.compare();
    work.removePicture("a");
    const { A, B } = work.current().looks;
    assert.deepEqual([ids(), A.own.a, B?.own.a], ["b", undefined, undefined]);
    work.undo();
    assert.deepEqual([ids(), valueOf("detail", "a")], ["a b", 2]);
  });
});

test("a second look begins like the first, is edited by itself, and can be kept alone", () => {
  setValue("fps", 12);
  work.compare();
  assert.deepEqual([work.slots(), work.current().slot, valueOf("fps")], [["A", "B"], "B", 12]);
  setValue("fps", 13);
  work.choose("A");
  assert.equal(valueOf("fps"), 12);
  work.keepSlot("B");
  assert.deepEqual([work.slots(), work.current().slot, valueOf("fps")], [["A"], "A", 13]);
});

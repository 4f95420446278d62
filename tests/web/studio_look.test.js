import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { filmBody, targetBody } from "../../web/src/studio/bodies.js";
import { isEnough, isSet, setValue, sharedFocus } from "../../web/src/studio/look.js";
import { unfitReason, valueOf } from "../../web/src/studio/look.js";
import { table } from "../../web/src/studio/table.js";
import * as work from "../../web/src/studio/work.js";
import { a, b, begin, clip, option } from "./studio_table.js";

beforeEach(() => begin([a, b]));

const look = () => work.look();

describe("the value of an option", () => {
  test("is that of the picture, else that of all, else the default", () => {
    assert.equal(valueOf("detail", "a"), null);
    assert.equal(valueOf("gamma", "a"), 1);
    setValue("detail", 2);
    setValue("detail", 3, "a");
    assert.deepEqual(
      ["a", "b", null].map((id) => [valueOf("detail", id), isSet("detail", id)]),
      [
        [3, true],
        [2, false],
        [2, true],
      ],
    );
  });

  test("of all pictures replaces those of single ones", () => {
    setValue("detail", 3, "a");
    setValue("detail", 2);
    assert.equal(valueOf("detail", "a"), 2);
  });

  test("is not set if it is null, the default, or a text of the default", () => {
    setValue("detail", 2);
    setValue("detail", null);
    setValue("levels", "2");
    assert.deepEqual([isSet("detail"), isSet("levels")], [false, false]);
  });

  test("of one picture is not set if it is the value of all", () => {
    setValue("detail", 2);
    setValue("detail", 2, "a");
    assert.equal(isSet("detail", "a"), false);
    setValue("detail", 1.5, "a");
    assert.equal(valueOf("detail", "a"), 1.5);
  });

  test("of the seed never counts as set, and a new one is drawn for null", () => {
    assert.equal(isSet("seed"), false);
    setValue("seed", null);
    assert.match(String(valueOf("seed")), /^\d{1,6}$/);
    assert.ok("seed" in look().values);
  });
});

describe("the focus", () => {
  test("is set on each picture", () => {
    setValue("focus", "face");
    assert.deepEqual([look().own.a.focus, look().own.b.focus], ["face", "face"]);
  });

  test("is shared if all pictures have the same", () => {
    setValue("focus", "face", "a");
    assert.equal(sharedFocus(), null);
    setValue("focus", "face", "b");
    assert.equal(sharedFocus(), "face");
  });

  test("replaces the view of a picture, and a view replaces it in both looks", () => {
    const view = { x: 0.5, y: 0.5, zoom: 2 };
    work.setView("a", view);
    setValue("focus", null, "a");
    assert.deepEqual(work.pictureOf("a")?.view, view);
    setValue("focus", "face");
    assert.equal(work.pictureOf("a")?.view, null);
    work.compare();
    work.setView("a", view);
    const { A, B } = work.current().looks;
    assert.deepEqual(
      [A, B].map((each) => [each?.own.a.focus, each?.own.b.focus]),
      [
        [undefined, "face"],
        [undefined, "face"],
      ],
    );
    setValue("focus", "auto");
    assert.equal(work.pictureOf("a")?.view, null);
  });
});

describe("a film", () => {
  /** @type {[description: string, enough: boolean, ...start: Parameters<typeof begin>][]} */
  const cases = [
    ["a still is not enough", false, [a]],
    ["two stills are enough", true, [a, b]],
    ["a clip is enough", true, [clip]],
    ["a frame of a clip is not enough", false, [clip], { at: 1 }],
    ["the first frame of a clip is not enough", false, [clip], {}, { clip: { at: 0 } }],
    ["a still is enough for the automaton", true, [a], { transition: "automaton" }],
    ["nothing is not enough for the automaton", false, [], { transition: "automaton" }],
  ];
  for (const [name, enough, ...start] of cases)
    test(name, () => {
      begin(...start);
      assert.equal(isEnough(), enough);
    });
});

describe("an option that does not fit", () => {
  /** @param {string} name @param {string} [id] */
  const reason = (name, id) => unfitReason(table.options.get(name) ?? option({ name }), look(), id);

  test("is of clips where there is none, or for a picture that is none", () => {
    assert.deepEqual(
      [reason("start"), reason("order"), reason("ending")],
      ["for clips only", "", ""],
    );
    begin([a, clip]);
    assert.deepEqual(
      [reason("start"), reason("start", "a"), reason("start", "clip")],
      ["", "for clips only", ""],
    );
  });

  test("is of stills where there is a clip", () => {
    begin([a, clip]);
    assert.deepEqual([reason("order"), reason("clicks_picture")], ["", "not with clips"]);
    begin([a, clip], {}, { clip: { at: 1 } });
    assert.deepEqual([reason("clicks_picture"), reason("start")], ["", ""]);
  });

  test("is of films with a transition where there is a single clip", () => {
    begin([clip]);
    assert.deepEqual(
      [reason("order"), reason("ending"), reason("gap")],
      ["not with a single clip", "not with a single clip", ""],
    );
  });

  test("is of other transitions", () => {
    begin([a, b], { transition: "dissolve" });
    assert.equal(reason("order"), "not with dissolve");
    begin([a, b], { transition: "sketch" });
    assert.equal(reason("order"), "");
  });

  test("is of formats that are not chosen", () => {
    begin([a, b], { frames: 3 });
    assert.equal(reason("frames"), "for .png -sheet.svg");
    work.updateWithoutUndo((now) => {
      now.formats = ["-sheet.svg"];
    });
    assert.equal(reason("frames"), "");
    assert.deepEqual(filmBody(work.current(), look()).outputs, { frames: 3 });
  });
});

test("requests leave out options that do not fit or are not known", () => {
  begin(
    [a, b],
    { transition: "dissolve", order: "sweep", gap: 1, frames: 3, x: 1 },
    { a: { detail: 2, x: 1 } },
  );
  work.setView("a", { x: 0.5, y: 0.5, zoom: 2 });
  const { pictures } = work.current();
  assert.deepEqual(targetBody(work.current(), pictures[1], look(), true), {
    pictures: [
      { id: "a", own: { detail: 2, crop: "25%,25%,75%,75%" } },
      { id: "b", own: {} },
    ],
    options: { seed: 3, transition: "dissolve" },
    look: { gap: 1 },
    outputs: {},
    index: 1,
    wrong: true,
  });
});

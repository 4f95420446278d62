import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { setValue, valueOf } from "../../web/src/studio/look.js";
import { applyPreset, presetLook, presetNow } from "../../web/src/studio/presets.js";
import { surprise } from "../../web/src/studio/surprise.js";
import { look, undo } from "../../web/src/studio/work.js";
import { a, b, begin } from "./studio_table.js";

beforeEach(() => begin([a, b]));

describe("a preset", () => {
  test("resets what other presets set, of single pictures too, and nothing else", () => {
    begin([a, b], { detail: 4, gamma: 2, fps: 12, transition: "dissolve" }, { a: { detail: 1 } });
    applyPreset("spot");
    applyPreset("linocut");
    assert.deepEqual(look(), {
      values: { seed: 3, fps: 12, dither: "threshold", detail: 3 },
      own: { a: {} },
    });
    assert.equal(presetNow(), "linocut");
  });

  test("is a step of undo", () => {
    begin([a, b], {}, { a: { detail: 1 } });
    applyPreset("linocut");
    undo();
    assert.equal(valueOf("detail", "a"), 1);
  });

  test("of times keeps the look, and one of the look keeps the times", () => {
    begin([a, b], { duration: 9 });
    applyPreset("linocut");
    assert.equal(valueOf("duration"), 9);
    applyPreset("loop");
    assert.deepEqual(
      [valueOf("detail"), valueOf("duration"), valueOf("ending")],
      [3, 4, "boomerang"],
    );
  });

  test("keeps a sketch, but not a dissolve", () => {
    begin([a, b], { transition: "sketch" });
    applyPreset("poster");
    assert.equal(valueOf("transition"), "sketch");
    begin([a, b], { transition: "dissolve" });
    applyPreset("poster");
    assert.equal(valueOf("transition"), "wipe");
  });

  test("is none at first, and unknown once an option of presets is set", () => {
    assert.equal(presetNow(), "");
    setValue("fps", 12);
    assert.equal(presetNow(), "");
    setValue("detail", 4);
    assert.equal(presetNow(), null);
  });

  test("of no name resets all presets", () => {
    applyPreset("poster");
    applyPreset("");
    assert.deepEqual(look().values, { seed: 3 });
  });

  test("is shown with the focus of pictures, without other options of theirs", () => {
    begin(
      [a, b],
      { fps: 12, detail: 1, transition: "dissolve" },
      { a: { focus: "face" }, b: { detail: 1 } },
    );
    assert.deepEqual(presetLook("spot"), {
      values: { seed: 3, fps: 12, spot: true, levels: 5 },
      own: { a: { focus: "face" }, b: {} },
    });
  });
});

describe("a surprise", () => {
  const ownOfA = { detail: 3 };
  const start = { fps: 12, gap: 3, rule: "king", seed: -1 };
  const draw = () => {
    begin([a, b], start, { a: ownOfA });
    surprise();
    return structuredClone(look());
  };
  const looks = Array.from({ length: 100 }, draw);

  test("keeps the times, and sets back the board and the look", () => {
    for (const { values, own } of looks) {
      assert.equal(values.fps, 12);
      assert.ok(!("gap" in values) && !("rule" in values) && !("detail" in own.a));
    }
  });

  test("draws a new seed", () => {
    for (const { values } of looks) assert.ok(Number(values.seed) >= 0);
  });

  test("draws each transition", () => {
    const transitions = new Set(looks.map(({ values }) => values.transition ?? "wipe"));
    assert.deepEqual([...transitions].sort(), ["dissolve", "sketch", "wipe"]);
  });

  test("sets only options that its transition has", () => {
    for (const { values } of looks) {
      const { transition, order, spread, dither, size, levels, rgb, perfect } = values;
      assert.notEqual(order, "legal");
      if (transition === "sketch") assert.ok(!(size || levels || rgb || perfect));
      else assert.equal(perfect, true);
      if (transition !== "dissolve") continue;
      assert.deepEqual([order, spread], [undefined, undefined]);
      assert.ok(["blue-noise", "bayer"].includes(String(dither)));
    }
  });

  test("can be undone", () => {
    draw();
    undo();
    assert.deepEqual([valueOf("rule"), valueOf("gap")], ["king", 3]);
  });
});

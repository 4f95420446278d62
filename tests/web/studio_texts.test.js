import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { chooseFormat, describeFormat } from "../../web/src/studio/formats.js";
import { helpText, isFound, searchText, searchWords } from "../../web/src/studio/option_texts.js";
import { createForecast } from "../../web/src/studio/search_progress.js";
import {
  formatBytes,
  formatSeconds,
  formatTime,
  toSentence,
} from "../../web/src/studio/sentences.js";
import { sliderScale } from "../../web/src/studio/slider_scale.js";
import { isSame, optionLabel } from "../../web/src/studio/table.js";
import { option } from "./studio_table.js";

test("messages become sentences, but names of options and files stay as they are", () => {
  const messages = ["no film", "face.png: no", "max_bytes must", "Why?", " a b. "];
  const sentences = ["No film.", "face.png: no.", "max_bytes must.", "Why?", "A b."];
  assert.deepEqual(messages.map(toSentence), sentences);
});

test("sizes of files and times have few digits", () => {
  const sizes = [999, 1500, 12345, 1500000].map(formatBytes);
  assert.deepEqual(sizes, ["999 bytes", "1.5 kB", "12 kB", "1.5 MB"]);
  assert.deepEqual([1200, 98_500, 99_500, 150_000].map(formatTime), [
    "2 s",
    "99 s",
    "2 min",
    "3 min",
  ]);
  assert.deepEqual([10, 5.123, 4.1].map(formatSeconds), ["10", "5.12", "4.1"]);
});

describe("the help text of an option", () => {
  test("has the form's names of options, and what is used by default", () => {
    const facts = { name: "ease", help: "Speed, see --hold-first.", unset: "none" };
    assert.equal(helpText(option(facts)), "Speed, see “hold-first”. Default: none.");
  });

  test("leaves out the list of choices, which the form shows", () => {
    const facts = { name: "levels", help: "Levels of a cell: 2, 3.", choices: [2, 3] };
    assert.equal(helpText(option(facts)), "Levels of a cell.");
  });

  test("is the form's own where its fields differ", () => {
    const size = option({ name: "size", help: "COLUMNSxROWS.", unset: "about 10,000 cells" });
    const text = "Columns and rows of the board, in cells. Default: about 10,000 cells.";
    assert.equal(helpText(size), text);
  });
});

describe("the search", () => {
  const options = [
    option({ name: "fps", help: "Frames per second." }),
    option({ name: "duration", help: "Seconds." }),
    option({ name: "focus", help: "Middle of the part." }),
    option({ name: "order", help: "Order of clicks.", choices: ["radial", "spiral"] }),
  ];
  /** @type {[written: string, names: string][]} */
  const cases = [
    ["speed", "fps duration"],
    ["length", "duration"],
    ["Speed length", "duration"],
    ["", "fps duration focus order"],
    ["crop", "focus"],
    ["spir", "order"],
    ["iral", ""],
    ["frames, PER second", "fps"],
    ["nothing at all", ""],
  ];
  for (const [written, names] of cases)
    test(`finds by "${written}": ${names || "nothing"}`, () => {
      const found = options.filter((each) => isFound(searchText(each), searchWords(written)));
      assert.equal(found.map(({ name }) => name).join(" "), names);
    });
});

describe("the slider of a number", () => {
  test("has the range and the steps of the table", () => {
    const scale = sliderScale({ from: 0, to: 5, by: 0.1, unset: "1.5; with spot 0.5" });
    assert.ok(scale);
    assert.deepEqual([scale.min, scale.max, scale.step], [0, 5, 0.1]);
    assert.deepEqual([scale.valueAt(2.34), scale.positionOf(2.3)], [2.3, 2.3]);
  });

  test("shows what is used by default, or its start", () => {
    const scale = sliderScale({ from: 1, to: 5, by: 1, unset: "" });
    const known = sliderScale({ from: 1, to: 50, by: 1, unset: "25, or the first clip's" });
    assert.deepEqual([scale?.positionOf(null), known?.positionOf(null)], [1, 25]);
  });

  test("from 1/x to x is logarithmic, with 1 in the middle", () => {
    const scale = sliderScale({ from: 0.25, to: 4, by: 0.01, unset: "1" });
    assert.ok(scale);
    assert.equal(scale.min, -scale.max);
    assert.deepEqual([scale.step, scale.positionOf(null), scale.positionOf(1)], ["any", 0, 0]);
    assert.equal(scale.valueAt(Math.log(2)), 2);
  });

  test("is left out where the table has no range", () => {
    assert.equal(sliderScale({ from: null, to: null, by: null, unset: "" }), null);
  });
});

describe("how far a search is", () => {
  test("is told with its stage, share and time, and how long it still takes", () => {
    const describe = createForecast(0);
    assert.equal(
      describe({ stage: "sketch", share: 0.25, note: "cells" }, 1500),
      "sketch: cells, 25 %, 2 s so far",
    );
    assert.equal(
      describe({ stage: "sketch", share: 0.5, note: "" }, 2000),
      "sketch, 50 %, 2 s so far, about 1 s left",
    );
  });

  test("is foretold from the first report of a stage, and not at its very start", () => {
    const describe = createForecast(0);
    assert.equal(describe({ stage: "one", share: 0.03, note: "" }, 900), "one, 3 %, 1 s so far");
    assert.equal(describe({ stage: "two", share: 0, note: "" }, 10_000), "two, 10 s so far");
    assert.equal(
      describe({ stage: "two", share: 0.5, note: "" }, 14_000),
      "two, 50 %, 14 s so far, about 4 s left",
    );
  });

  test("is only the time where the server says nothing", () => {
    assert.equal(createForecast(1000)({}, 2500), "2 s so far");
  });

  test("keeps its forecast until the share changes", () => {
    const describe = createForecast(0);
    const progress = { stage: "one", share: 0.5, note: "" };
    describe({ ...progress, share: 0 }, 0);
    describe(progress, 4000);
    assert.equal(describe(progress, 6000), "one, 50 %, 6 s so far, about 4 s left");
  });
});

describe("formats", () => {
  test("have names and descriptions, or the name of their suffix", () => {
    assert.deepEqual(describeFormat(".gif"), ["GIF", "plays anywhere"]);
    assert.deepEqual(describeFormat("-sheet.svg"), ["SVG sheet", "for plotters"]);
    assert.deepEqual(describeFormat(".new"), ["NEW", ""]);
  });

  test("of contact sheets replace each other", () => {
    const stills = [".png", "-sheet.svg", ".pdf"];
    let formats = [".gif"];
    /** @param {string} suffix @param {boolean} isChosen */
    const choose = (suffix, isChosen) => {
      formats = chooseFormat(formats, suffix, isChosen, stills);
      return formats.join(" ");
    };
    assert.equal(choose(".png", true), ".gif .png");
    assert.equal(choose(".mp4", true), ".gif .png .mp4");
    assert.equal(choose(".pdf", true), ".gif .mp4 .pdf");
    assert.equal(choose(".gif", false), ".mp4 .pdf");
    assert.equal(choose(".pdf", false), ".mp4");
    assert.equal(choose(".mp4", false), "");
  });
});

test("values are the same as their texts, and names of options are words", () => {
  assert.deepEqual([isSame("2", 2), isSame(null, null), isSame(1.5, 1)], [true, true, false]);
  assert.equal(optionLabel("clicks_per_frame"), "clicks per frame");
});

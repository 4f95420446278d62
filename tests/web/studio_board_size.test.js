import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { rowsOfShape, shapeName } from "../../web/src/studio/board_shapes.js";
import * as size from "../../web/src/studio/board_size.js";
import { sizeFilm } from "../../web/src/studio/film_size.js";
import { a, b, begin, rounded } from "./studio_table.js";

describe("the size of the board", () => {
  /** @param {string | null} value */
  const sizeOf = (value) => {
    begin([a, b], { rule: "ring", ...(value && { size: value }) });
    return [size.sizeOf(), rounded(size.shapeOf())];
  };

  test("is that of the option, or 100 columns", () => {
    assert.deepEqual(["40x30", "40X30", "40", null].map(sizeOf), [
      [{ columns: 40, rows: 30 }, 1.333],
      [{ columns: 40, rows: 30 }, 1.333],
      [{ columns: 40, rows: null }, 1.333],
      [{ columns: 100, rows: null }, 1.333],
    ]);
  });

  test("is that which the server has chosen for the same picture and options", () => {
    /** @param {Parameters<typeof begin>[1]} values */
    const record = (values) => {
      begin([a, b], { rule: "x", ...values });
      return size.recordBoardSize(99, 75);
    };
    const isNew = [{}, {}, { fps: 12 }, { levels: 3 }, { wrap: true }].map(record);
    assert.deepEqual(isNew, [true, false, false, true, true]);
    begin([b, a], { rule: "x" });
    assert.equal(size.sizeOf().columns, 100);
    assert.equal(size.recordBoardSize(99, 75), true);
    assert.equal(size.recordBoardSize(99, 74), true);
    assert.equal(size.recordBoardSize(98, 74), true);
    assert.equal(size.recordBoardSize(98, 74), false);
  });
});

test("the board has the shape of its size, else of its canvas, else of the first picture", () => {
  begin([a, b], { size: "20x10" });
  assert.equal(size.shapeOf(), 2);
  begin([], { size: "30" });
  assert.equal(size.shapeOf(), 1);
  begin([b, a]);
  assert.equal(size.shapeOf(), 0.75);
  begin([a, b], { rule: "ring", canvas: "square" });
  size.recordBoardSize(60, 50);
  assert.equal(size.shapeOf(), 1.2);
});

test("a width is rounded to whole pixels of cells, unless that loses too much", () => {
  assert.deepEqual(
    [
      size.snapWidth(250, 100, 0.15, 2),
      size.snapWidth(230, 100, 0.15, 2),
      size.snapWidth(200, 100, 0.1, 2),
    ],
    [250, 202, 202],
  );
});

describe("the shape of the form's size", () => {
  test("gives the rows, and another shape keeps that of the board", () => {
    const now = { columns: 40, rows: 10 };
    assert.deepEqual(
      [rowsOfShape("4:3", 60, now), rowsOfShape("square", 80, now), rowsOfShape("other", 80, now)],
      [45, 80, 20],
    );
    assert.equal(rowsOfShape("first picture's", 80, now), null);
    assert.equal(rowsOfShape("16:9", 1, now), 1);
  });

  test("is the chosen one if the board has it, else the first that it has", () => {
    assert.equal(shapeName({ columns: 100, rows: null }, null), "first picture's");
    assert.equal(shapeName({ columns: 40, rows: 30 }, null), "4:3");
    assert.equal(shapeName({ columns: 1, rows: 1 }, "4:3"), "4:3");
    assert.equal(shapeName({ columns: 1, rows: 1 }, "other"), "square");
    assert.equal(shapeName({ columns: 30, rows: 50 }, "4:3"), "other");
  });
});

describe("a film", () => {
  const place = {
    ...{ shape: 4 / 3, columns: 40, room: 900, top: 100 },
    ...{ controls: 108, tabs: 0, windowHeight: 900, isAbove: false },
  };

  test("is as large as the window allows with its controls", () => {
    const { width, height, left, screen } = sizeFilm(place);
    assert.deepEqual([width, height, left, screen], [888, 775.5, 0, 775.5]);
    assert.ok(place.top + height <= place.windowHeight);
  });

  test("is as wide as its room at most, and as its controls need at least", () => {
    assert.equal(sizeFilm({ ...place, room: 500 }).width, 488);
    assert.equal(sizeFilm({ ...place, windowHeight: 100 }).width, 466);
  });

  test("is higher by the height of its controls", () => {
    const heights = [58, 108].map((controls) => sizeFilm({ ...place, controls, room: 600 }).height);
    assert.equal(heights[1] - heights[0], 50);
  });

  test("above other parts of a narrow window has a third of its height, in the middle", () => {
    const { left, screen } = sizeFilm({ ...place, room: 390, isAbove: true, tabs: 60 });
    assert.ok(screen < 0.35 * place.windowHeight);
    assert.ok(left >= 0);
  });
});

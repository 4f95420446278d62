import assert from "node:assert/strict";
import { test } from "node:test";

import { mergeWork } from "../../web/src/studio/merge.js";

/** @type {[name: string, base: unknown, mine: unknown, theirs: unknown, merged: unknown][]} */
const cases = [
  ["a change of theirs alone is taken", 1, 1, 2, 2],
  ["a change of mine alone is kept", 1, 2, 1, 2],
  ["a change of mine wins over theirs", 1, 2, 3, 2],
  [
    "changes of two members are both kept",
    { a: 1, b: 1 },
    { a: 2, b: 1 },
    { a: 1, b: 2 },
    { a: 2, b: 2 },
  ],
  [
    "a member that one adds is kept, one that another removes is not",
    { a: 1, b: 1 },
    { b: 1 },
    { a: 1, c: 3 },
    { c: 3 },
  ],
  [
    "members of members are merged",
    { a: { b: 1 } },
    { a: { b: 2 } },
    { a: { b: 1, c: 3 } },
    { a: { b: 2, c: 3 } },
  ],
  [
    "a member that mine changes and theirs removes is kept",
    { a: { b: 1 } },
    { a: { b: 2 } },
    {},
    { a: { b: 2 } },
  ],
  [
    "a look that theirs adds is kept",
    { a: null },
    { a: null, b: 0 },
    { a: { b: 1 } },
    { a: { b: 1 }, b: 0 },
  ],
  [
    "formats are merged as sets",
    [".gif", ".mp4"],
    [".mp4", ".svg"],
    [".gif", ".mp4", ".png"],
    [".mp4", ".svg", ".png"],
  ],
  [
    "pictures of both are kept where nothing was known",
    null,
    [{ id: "a" }],
    [{ id: "b" }],
    [{ id: "a" }, { id: "b" }],
  ],
  [
    "pictures are matched by their ids, in my order",
    [{ id: "a", view: 1 }, { id: "b" }],
    [{ id: "b" }, { id: "a", view: 2 }],
    [{ id: "a", view: 1 }, { id: "c" }],
    [{ id: "a", view: 2 }, { id: "c" }],
  ],
];

for (const [name, base, mine, theirs, merged] of cases)
  test(name, () => assert.deepEqual(mergeWork(base, mine, theirs), merged));

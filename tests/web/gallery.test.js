/** Search and sorting of a gallery's cards. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrangeCards, formatAddress, parseAddress } from "../../web/src/gallery/cards.js";

const cards = [
  { slug: "a", words: "Käse & Brot", rows: 2, columns: 9, clicks: 5, wrong: 1 },
  { slug: "b", words: "kase", rows: 3, columns: 3, clicks: 5, wrong: 0 },
  { slug: "c", words: "Brot", rows: 4, columns: 4, clicks: 7, wrong: 1 },
];
const slugsOf = (choice) =>
  arrangeCards(cards, { sort: "hung", find: "", ...choice }).map(({ slug }) => slug);

test("cards with equal numbers keep their order", () => {
  assert.deepEqual(slugsOf({ sort: "clicks" }), ["c", "a", "b"]);
  assert.deepEqual(slugsOf({ sort: "fewest" }), ["a", "b", "c"]);
  assert.deepEqual(slugsOf({ sort: "exact" }), ["b", "a", "c"]);
});

test("a search finds all its words, without accents and capitals", () => {
  assert.deepEqual(slugsOf({ find: "KÄSE" }), ["a", "b"]);
  assert.deepEqual(slugsOf({ find: " brot kase " }), ["a"]);
});

test("an address keeps what was chosen, and may say anything", () => {
  for (const choice of [
    { sort: "hung", find: "", at: "" },
    { sort: "name", find: "a&b=c#é ", at: "sun-moon" },
  ])
    assert.deepEqual(parseAddress(formatAddress(choice)), choice);
  assert.equal(formatAddress({ sort: "hung", find: "  " }), "");
  assert.equal(parseAddress("#sort=constructor&find=%F0%9F").sort, "hung");
});

/** Search and sorting of a gallery's cards, and the part of an address that keeps both. */

/**
 * A card, as lightsanim/apps/gallery/pages.py writes it to "animations.js".
 *
 * @typedef {object} Card
 * @property {string} slug the folder
 * @property {string} name the title, or the names of the pictures
 * @property {string} words the text in which the search looks
 * @property {number} rows
 * @property {number} columns
 * @property {number} clicks
 * @property {number} wrong number of wrong cells
 * @property {string | null} series
 * @property {number} named rank by name
 * @property {number} made rank by age, the oldest first
 *
 * @typedef {object} Choice what a visitor chose to see
 * @property {string} sort
 * @property {string} find
 * @property {string} [at] slug of the animation that the exhibition shows
 */

/**
 * Numbers by which cards are sorted.
 *
 * @type {Record<string, (card: Card) => number>}
 */
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

/** @param {string} text */
const normalizeText = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Reads the fragment of an address; it may say anything.
 *
 * @param {string} hash
 * @returns {Choice}
 */
export function parseAddress(hash) {
  const words = new URLSearchParams(hash.slice(1));
  const sort = words.get("sort") ?? "";
  return {
    sort: Object.hasOwn(SORTS, sort) ? sort : "hung",
    find: words.get("find") ?? "",
    at: words.get("at") ?? "",
  };
}

/**
 * Returns the fragment of an address, which is empty for all cards in their default order.
 *
 * @param {Choice} choice
 */
export function formatAddress({ sort, find, at }) {
  const words = new URLSearchParams();
  if (sort !== "hung") words.set("sort", sort);
  if (find.trim()) words.set("find", find);
  if (at) words.set("at", at);
  return `${words}` && `#${words}`;
}

/**
 * Returns the cards that match the search, sorted; cards with equal numbers keep their order.
 *
 * @param {Card[]} cards
 * @param {Choice} choice
 */
export function arrangeCards(cards, { sort, find }) {
  const terms = normalizeText(find).split(/\s+/);
  const value = SORTS[sort];
  const matches = cards.filter((card) => {
    const words = normalizeText(card.words);
    return terms.every((term) => words.includes(term));
  });
  return matches.sort((one, other) => value(one) - value(other));
}

/** Merges the changes that two pages make to one project. */

/**
 * Merges two values, given the value before both changes; in a conflict `mine` wins.  Lists are of
 * pictures, matched by their ids, or of formats.
 *
 * @template Member
 * @param {unknown} base
 * @param {Member} mine
 * @param {Member} theirs
 * @returns {Member}
 */
export function mergeWork(base, mine, theirs) {
  const [before, here, there] = [base, mine, theirs].map((value) => JSON.stringify(value));
  if (here === before || here === there) return theirs;
  if (there === before || !isObject(mine) || !isObject(theirs)) return mine;
  const [old, own, other] = [base ?? {}, mine, theirs].map(membersOf);
  const pairs = Object.keys({ ...own, ...other }).map((key) => [
    key,
    mergeWork(old[key], own[key], other[key]),
  ]);
  const members = Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  return /** @type {Member} */ (Array.isArray(mine) ? Object.values(members) : members);
}

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => typeof value === "object" && value !== null;

/** @param {object} value @returns {Record<string, unknown>} */
const membersOf = (value) =>
  Array.isArray(value)
    ? Object.fromEntries(value.map((each) => [each.id ?? each, each]))
    : { ...value };

/**
 * Returns a function that acts once it has not been called for some milliseconds, and one that cancels
 * this.
 *
 * @template {unknown[]} Values
 * @param {number} milliseconds
 * @param {(...values: Values) => void} act
 */
export function debounce(milliseconds, act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const cancel = () => clearTimeout(timer);
  /** @param {Values} values */
  const delayed = (...values) => {
    cancel();
    timer = setTimeout(() => act(...values), milliseconds);
  };
  return Object.assign(delayed, { cancel });
}

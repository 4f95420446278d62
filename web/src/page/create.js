/** Creates elements of a page. */

/** @typedef {Node | string | null | undefined} Child */

/**
 * Creates an element.  Properties that are null, undefined or false are left out; handlers, numbers
 * and true are set as properties of the element if it has them, all else as attributes.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]
 * @param {Child[]} children
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") || (name in element && typeof value !== "string"))
      Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

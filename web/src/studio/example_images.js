/** Example pictures, which load one by one while they are visible and no urgent request is running. */

import { h } from "../page/create.js";
import { waitUntilIdle } from "./urgent.js";

let drawing = Promise.resolve();

const visibilityObserver = new IntersectionObserver(
  (entries) => {
    for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
      visibilityObserver.unobserve(target);
      drawing = drawing.then(() => drawExample(/** @type {HTMLImageElement} */ (target)));
    }
  },
  { rootMargin: "200px" },
);

/** @param {HTMLImageElement} image */
async function drawExample(image) {
  await waitUntilIdle();
  image.src = image.dataset.src ?? "";
  await image.decode().catch(() => image.remove());
}

/**
 * Creates an image that loads once it is visible.
 *
 * @param {string} address
 * @param {Record<string, unknown>} properties
 */
export function lazyImage(address, properties) {
  const image = h("img", { alt: "", "data-src": address, ...properties });
  visibilityObserver.observe(image);
  return image;
}

/** Resolves after the next paint, so that a page answers a click before a long task. */
export const nextPaint = () =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** A strip of a clip's frames, with handles for its start and end. */

import { range } from "../numbers.js";
import { h } from "../page/create.js";
import { setText } from "../page/elements.js";
import { thumbAddress } from "./api.js";
import { moveHandle } from "./clip_span.js";
import { lazyImage } from "./example_images.js";
import { secondsOf, setValue, valueOf } from "./look.js";
import { formatSeconds } from "./sentences.js";
import { look } from "./work.js";

const STRIP_FRAMES = 8;

/**
 * @param {{ id: string, name: string }} clip
 * @param {number} seconds
 */
export function buildStrip({ id, name }, seconds) {
  const times = range(STRIP_FRAMES).map((i) => formatSeconds(((i + 0.5) * seconds) / STRIP_FRAMES));
  const frames = times.map((at) =>
    lazyImage(`${thumbAddress(id, Number(at))}&strip=1`, { draggable: "false" }),
  );

  /** @param {"start" | "end"} option @param {string} word */
  function createHandle(option, word) {
    const handle = h("input", {
      type: "range",
      min: 0,
      max: seconds,
      step: "any",
      "aria-label": `${word} of ${name}`,
      "data-option": option,
    });
    handle.oninput = () => {
      const to = moveHandle(option, handle.valueAsNumber, {
        start: secondsOf("start", id),
        end: secondsOf("end", id),
        seconds,
      });
      const isDefault = to === (option === "start" ? 0 : seconds) && !(option in look().values);
      setValue(option, isDefault ? null : Number(to.toFixed(2)), id);
      show();
    };
    return handle;
  }

  const start = createHandle("start", "Start");
  const end = createHandle("end", "End");
  const part = h("span", { class: "soft" });
  const element = h(
    "div",
    { class: "strip" },
    h("div", { class: "frames" }, ...frames, start, end),
    part,
  );

  /** Shows the part of the clip; nothing if it is reduced to a frame. */
  function show() {
    const from = secondsOf("start", id) ?? 0;
    const to = Math.min(secondsOf("end", id) ?? seconds, seconds);
    start.value = String(from);
    end.value = String(to);
    // If both handles are at one end, the movable handle is on top.
    start.style.zIndex = from > seconds / 2 ? "1" : "0";
    [start, end].forEach((handle) => (handle.ariaValueText = `${handle.value} s`));
    element.style.setProperty("--from", String(from / seconds));
    element.style.setProperty("--to", String(to / seconds));
    setText(part, `${formatSeconds(from)} to ${formatSeconds(to)} s`);
    element.hidden = valueOf("at", id) !== null;
  }
  return { element, show };
}

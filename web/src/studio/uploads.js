/** Adds pictures: chosen, dropped and pasted files, and samples. */

import { h } from "../page/create.js";
import { findElements, setText } from "../page/elements.js";
import { addPicture, isGone, problemOf } from "./api.js";
import { clearProblem, showProblem } from "./problems.js";
import { toSentence } from "./sentences.js";
import { nameUpload } from "./upload_names.js";
import { addPictures } from "./work.js";

const ui = findElements({ waiting: HTMLElement, samples: HTMLElement });

/**
 * Uploads files, and adds the pictures that could be read.
 *
 * @param {Iterable<File>} files
 * @param {boolean} [isPasted]
 */
export async function uploadFiles(files, isPasted = false) {
  const added = [];
  const refused = [];
  const all = [...files];
  for (const [i, file] of all.entries()) {
    const place = all.length > 1 ? `, ${i + 1} of ${all.length}` : "";
    setText(ui.waiting, `Reading ${file.name || "a picture"}${place} …`);
    try {
      added.push({ ...(await addPicture(file, nameUpload(file, isPasted))), pasted: isPasted });
    } catch (error) {
      refused.push(
        toSentence(isGone(error) ? `${file.name} could not be uploaded` : problemOf(error).message),
      );
    }
  }
  setText(ui.waiting, "");
  if (refused.length) showProblem("upload", { message: refused.join(" ") });
  else clearProblem("upload");
  if (added.length) addPictures(added);
}

/** Pairs of sample pictures, which are uploaded like pasted pictures. */
const SAMPLE_PAIRS = [
  ["face", "skull"],
  ["eye", "moon"],
  ["cat", "knight"],
];

export function buildSamples() {
  for (const names of SAMPLE_PAIRS) {
    const button = h(
      "button",
      {
        type: "button",
        "aria-label": `Start with ${names.join(" and ")}`,
        onclick: async () => uploadFiles(await Promise.all(names.map(fetchSample)), true),
      },
      ...names.map((name) =>
        h("img", { src: sampleAddress(name), alt: "", width: 72, height: 72, loading: "lazy" }),
      ),
    );
    ui.samples.append(h("li", {}, button));
  }
}

/** @param {string} name */
const sampleAddress = (name) => `samples/${name}`;

/** @param {string} name */
const fetchSample = async (name) =>
  new File([await (await fetch(sampleAddress(name))).blob()], name);

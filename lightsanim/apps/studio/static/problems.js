// Error messages of one line, shown beside the option or picture at fault.
//
// Each source (a picture's target, a film, an upload) has at most one problem.  `about` is the
// option and `picture` the picture at fault; if neither is known, the film shows the message.

const problems = new Map(), places = new Map();
let revealPlace = () => {};

export const setProblemPlace = (about, element) => places.set(about, element);
export const setDefaultPlace = (element, reveal) => {
  places.set(null, element);
  revealPlace = reveal;
};

export function showProblem(source, { message, about, picture }) {
  const shownAt = [picture, about, source].find((place) => place && places.has(place)) ?? null;
  const before = problems.get(source);
  problems.set(source, { message: toSentence(message), about: shownAt });
  if (before?.message !== toSentence(message)) revealPlace(shownAt);
  showProblems();
}

export function clearProblem(source) {
  if (problems.delete(source)) showProblems();
}

// Capitalizes the first letter, unless the text begins with the name of an option or a file.
export const toSentence = (text) => {
  const line = text.trim().replace(/^[a-z](?!\S*[_.:])/, (letter) => letter.toUpperCase());
  return /[.?!]$/.test(line) ? line : `${line}.`;
};

function showProblems() {
  for (const [about, element] of places) {
    const lines = [...problems.values()].filter((each) => each.about === about).map(({ message }) => message);
    const text = [...new Set(lines)].join(" ");
    if (element.textContent !== text) element.textContent = text;
  }
}

// What went wrong, in one line beside what caused it.
//
// Each source (a picture's target, a film, an upload) has one problem at most; `about` is the
// option or the picture that the server blames.  Where nobody shows that, the film's line does.

const problems = new Map(), places = new Map();
let elsewhere = () => {};

export const sayIn = (about, element) => places.set(about, element);
export const sayElsewhere = (element, reveal) => {
  places.set(null, element);
  elsewhere = reveal;
};

export function problem(source, { message, about, picture }) {
  const known = [picture, about, source].find((place) => place && places.has(place)) ?? null;
  const before = problems.get(source);
  problems.set(source, { message: sentence(message), about: known });
  if (before?.message !== sentence(message)) elsewhere(known);
  show();
}

export function clearProblem(source) {
  if (problems.delete(source)) show();
}

// The names of options and files stay as they are.
export const sentence = (text) => {
  const line = text.trim().replace(/^[a-z](?!\S*[_.:])/, (letter) => letter.toUpperCase());
  return /[.?!]$/.test(line) ? line : `${line}.`;
};

function show() {
  for (const [about, element] of places) {
    const lines = [...problems.values()].filter((each) => each.about === about).map(({ message }) => message);
    const text = [...new Set(lines)].join(" ");
    if (element.textContent !== text) element.textContent = text;
  }
}

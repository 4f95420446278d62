// Puzzles as fragments of addresses, in the format described in lightsanim/game/puzzle_link.py

const LINK_VERSION = 1, MAX_LINK_LENGTH = 190, MAX_LINK_SIDE = 20;

// Rule, wrap and levels of this page's game, as written in links.
const gameSuffix = [
  film.rule === "plus" ? "" : `.${film.rule}`, film.wrap ? ".wrap" : "", levels > 2 ? `.${levels}` : "",
].join("");

const countBytes = (cells) => Math.ceil((BigInt(levels) ** BigInt(cells) - 1n).toString(16).length / 2);

// CRC-32, as in PNG and zip files.
function checksum(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
  }
  return [24, 16, 8, 0].map((shift) => (~sum >>> shift) & 255);
}

const charCodes = (text) => [...text].map((letter) => letter.charCodeAt(0));

// Returns the link to a puzzle, or null if the puzzle is too large.
function encodeLink({ rows, columns, first }) {
  if (Math.max(rows, columns) > MAX_LINK_SIDE) return null;
  const number = first.reduce((sum, level) => sum * BigInt(levels) + BigInt(level), 0n);
  const digits = number.toString(16).padStart(2 * countBytes(first.length), "0");
  const bytes = [LINK_VERSION, ...digits.match(/../g).map((byte) => parseInt(byte, 16))];
  const size = `${columns}x${rows}${gameSuffix}-`;
  bytes.push(...checksum([...charCodes(size), ...bytes]));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  const link = `#${size}${text.replaceAll("=", "")}`;
  return link.length > MAX_LINK_LENGTH ? null : link;
}

const DAMAGED_LINK = localize("puzzle.link_damaged");

// Returns the columns, rows and start of a link, or { flaw: message } if it is invalid.
function decodeLink(link) {
  const [, size, columns, rows, ruleText, text] = link.match(/^#((\d\d?)x(\d\d?)((?:\.[\w/]+)*)-)([\w-]+)$/) ?? [];
  let bytes = [];
  try {
    bytes = charCodes(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {}
  const sum = bytes.splice(-4), expectedSum = checksum([...charCodes(size ?? ""), ...bytes]);
  const differs = expectedSum.some((byte, i) => byte !== sum[i]);
  if (differs || !bytes.length || link.length > MAX_LINK_LENGTH) return { flaw: DAMAGED_LINK };
  if (bytes[0] > LINK_VERSION)
    return { flaw: localize("puzzle.link_later") };
  if (ruleText !== gameSuffix)
    return { flaw: localize("puzzle.link_other", { game: ruleText.slice(1).replaceAll(".", ", ") || "plus" }) };
  const hex = bytes.slice(1).map((byte) => byte.toString(16).padStart(2, "0")), cells = rows * columns;
  const first = Uint8Array.from(BigInt(`0x0${hex.join("")}`).toString(levels).padStart(cells, "0"));
  const puzzle = { columns: Number(columns), rows: Number(rows), first };
  return first.length === cells && encodeLink(puzzle) === link ? puzzle : { flaw: DAMAGED_LINK };
}

// A puzzle as the end of an address, as lightsanim/board/link.py writes it, which explains it

const LINK_VERSION = 1, LONGEST_LINK = 190, LARGEST_SIDE = 20;

// What boards of this page's game say beside their size.
const game = [
  film.rule === "plus" ? "" : `.${film.rule}`, film.wrap ? ".wrap" : "", levels > 2 ? `.${levels}` : "",
].join("");

const bytesFor = (cells) => Math.ceil((BigInt(levels) ** BigInt(cells) - 1n).toString(16).length / 2);

// CRC-32, as of PNG and zip.
function checksum(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
  }
  return [24, 16, 8, 0].map((shift) => (~sum >>> shift) & 255);
}

const lettersOf = (text) => [...text].map((letter) => letter.charCodeAt(0));

// Null where a puzzle is too large.
function linkOf({ rows, columns, first }) {
  if (Math.max(rows, columns) > LARGEST_SIDE) return null;
  const number = first.reduce((sum, level) => sum * BigInt(levels) + BigInt(level), 0n);
  const digits = number.toString(16).padStart(2 * bytesFor(first.length), "0");
  const bytes = [LINK_VERSION, ...digits.match(/../g).map((byte) => parseInt(byte, 16))];
  const size = `${columns}x${rows}${game}-`;
  bytes.push(...checksum([...lettersOf(size), ...bytes]));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  const link = `#${size}${text.replaceAll("=", "")}`;
  return link.length > LONGEST_LINK ? null : link;
}

const damaged = "The link to a puzzle was cut or edited. Ask for the whole link.";

// Columns, rows and start of a link, or { flaw }: why there is none.
function readLink(link) {
  const [, size, columns, rows, others, text] = link.match(/^#((\d\d?)x(\d\d?)((?:\.[\w/]+)*)-)([\w-]+)$/) ?? [];
  let bytes = [];
  try {
    bytes = lettersOf(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {}
  const sum = bytes.splice(-4), whole = checksum([...lettersOf(size ?? ""), ...bytes]);
  const differs = whole.some((byte, i) => byte !== sum[i]);
  if (differs || !bytes.length || link.length > LONGEST_LINK) return { flaw: damaged };
  if (bytes[0] > LINK_VERSION)
    return { flaw: "The link to a puzzle is of a later version than this page. Ask for a new page." };
  if (others !== game)
    return { flaw: `The link is to another game (${others.slice(1).replaceAll(".", ", ") || "plus"}).` };
  const hex = bytes.slice(1).map((byte) => byte.toString(16).padStart(2, "0")), cells = rows * columns;
  const first = Uint8Array.from(BigInt(`0x0${hex.join("")}`).toString(levels).padStart(cells, "0"));
  const found = { columns: Number(columns), rows: Number(rows), first };
  return first.length === cells && linkOf(found) === link ? found : { flaw: damaged };
}

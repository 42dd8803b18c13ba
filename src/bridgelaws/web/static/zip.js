/** A folder of texts as a zip file, not compressed: a draft is small, and every system can open it. */

const TABLE = Uint32Array.from({ length: 256 }, (_, number) => {
  let value = number;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
const UTF8 = 0x800;
// Zip has no time zone and no years before 1980; the first day of that year means nothing.
const FIRST_DAY = 0x21;

function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** @param {Object<string, string>} files texts by their paths */
export function zipped(files) {
  const encoder = new TextEncoder();
  const parts = [];
  const contents = [];
  let offset = 0;
  const add = (part) => {
    parts.push(part);
    offset += part.length;
  };
  for (const [path, text] of Object.entries(files)) {
    const [name, body] = [encoder.encode(path), encoder.encode(text)];
    const about = [[10, 2], [UTF8, 2], [0, 2], [0, 2], [FIRST_DAY, 2], [checksum(body), 4], [body.length, 4], [body.length, 4], [name.length, 2], [0, 2]];
    contents.push([...numbers([[0x02014b50, 4], [10, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), ...name]);
    add(numbers([[0x04034b50, 4], ...about]));
    add(name);
    add(body);
  }
  const [begin, count] = [offset, contents.length];
  contents.forEach((entry) => add(Uint8Array.from(entry)));
  add(numbers([[0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [offset - begin, 4], [begin, 4], [0, 2]]));
  return new Blob(parts, { type: "application/zip" });
}

/** Numbers with their lengths in bytes, lowest byte first. */
function numbers(listed) {
  return Uint8Array.from(listed.flatMap(([value, length]) => Array.from({ length }, (_, place) => (value >>> (8 * place)) & 0xff)));
}

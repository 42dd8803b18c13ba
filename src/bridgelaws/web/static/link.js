/** The permanent link: the whole case in the fragment, which no server ever sees. `#d.…` is deflated, `#j.…` is not. */

import { NotACase } from "./draft.js";

const MOST_CHARACTERS = 30_000;
const MOST_BYTES = 64_000;

/** The fragment for a case, the shorter of the two ways that this browser has. */
export async function fragmentOf(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const plain = `j.${base64url(bytes)}`;
  if (typeof CompressionStream === "undefined") return plain;
  const deflated = `d.${base64url(await through(bytes, new CompressionStream("deflate-raw")))}`;
  return deflated.length < plain.length ? deflated : plain;
}

/**
 * The case in a fragment, of which nothing is known but that it is JSON; null if there is none.
 *
 * @throws {NotACase} if it cannot be read
 */
export async function caseIn(fragment) {
  const text = fragment.replace(/^#/u, "");
  if (!/^[dj]\./u.test(text)) return null;
  if (text.length > MOST_CHARACTERS) throw new NotACase("the link is too long");
  try {
    const bytes = Uint8Array.from(atob(text.slice(2).replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    const plain = text[0] === "j" ? bytes : await through(bytes, new DecompressionStream("deflate-raw"));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } catch (error) {
    if (error instanceof NotACase) throw error;
    throw new NotACase("the link is damaged: it was perhaps cut off when it was copied");
  }
}

async function through(bytes, stream) {
  const writer = stream.writable.getWriter();
  // What goes wrong in writing comes out in reading.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [];
  let size = 0;
  const reader = stream.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    // A few characters can inflate to gigabytes.
    if (size > MOST_BYTES) {
      await reader.cancel().catch(() => {});
      throw new NotACase("the case in the link is too large");
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function base64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/u, "");
}

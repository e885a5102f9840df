/** The first byte of every token: a change of layout gets the next number. */
export const tokenVersion = 1;

/** The second byte: what the token is for, so that none can stand for another. */
export const tokenPurpose = { requestId: 1, clickToken: 2, preview: 3 } as const;

/**
 * The bytes of a base64url text (RFC 4648 section 5, no padding), or null when it has not between `least` and
 * `most` bytes or is not their one canonical spelling: Node's decoder alone also takes `+`, `/`, `=`, white space
 * and stray bits in the last character. A text of the wrong length costs nothing.
 */
export function bytesOfText(text: string, range: { least: number; most: number }): Buffer | null {
  if (text.length < textLength(range.least) || text.length > textLength(range.most)) return null;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}

function textLength(bytes: number): number {
  return Math.ceil((bytes * 4) / 3);
}

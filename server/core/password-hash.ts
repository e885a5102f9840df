/** What argon2id is asked for: 19 MiB, two passes, one lane (OWASP's password storage sheet, its second choice). */
export const argon2 = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** How many random bytes a password is salted with (RFC 9106 section 3.1). */
export const saltBytes = 16;

export type HashedPassword = {
  salt: Uint8Array;
  tag: Uint8Array;
  memory: number;
  passes: number;
  parallelism: number;
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "");

/** A hash as text that says how it was made (the PHC's string format), so that stronger ones can follow. */
export function passwordHashText({ salt, tag, memory, passes, parallelism }: HashedPassword): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

const form =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** The text of a hash in its parts; null when it is none of argon2id. */
export function parsePasswordHash(text: string): HashedPassword | null {
  const [, memory, passes, parallelism, salt, tag] = form.exec(text) ?? [];
  if (salt === undefined || tag === undefined) return null;
  return {
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
}

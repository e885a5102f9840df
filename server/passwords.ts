import { argon2 as hashBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import {
  argon2,
  type HashedPassword,
  parsePasswordHash,
  passwordHashText,
  saltBytes,
} from "./core/password-hash.ts";

/** Too many passwords are being hashed already. */
export class TooManyPasswords extends Error {
  override readonly name = "TooManyPasswords";
}

export type Passwords = {
  /** The text to keep. Rejects with TooManyPasswords. */
  hash(password: string): Promise<string>;
  /**
   * Whether it is the password that was kept; null: nothing was, and the answer, which is no, takes as long. Rejects with
   * TooManyPasswords.
   */
  isRight(password: string, kept: string | null): Promise<boolean>;
};

/** Each takes some 50 ms of one of the four threads that files and names are looked up by as well. */
const atOnce = 2;
/** More would wait for longer than anybody does. */
const mostWaiting = 50;

const compute = promisify(hashBytes);

/** Hashes passwords by argon2id on Node's own threads, two at a time, so that no visitor waits for it. */
export function createPasswords({ randomBytes }: { randomBytes: (size: number) => Buffer }): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];
  const tagOf = async (
    password: string,
    { salt, memory, passes, parallelism, tag }: HashedPassword,
  ): Promise<Buffer> => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw new TooManyPasswords("too many passwords are being hashed");
      await new Promise<void>((resume) => waiting.push(resume));
    } else running += 1;
    try {
      return await compute("argon2id", {
        message: password.normalize("NFC"),
        nonce: salt,
        memory,
        passes,
        parallelism,
        tagLength: tag.length,
      });
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
  const fresh = (): HashedPassword => ({
    ...argon2,
    salt: randomBytes(saltBytes),
    tag: Buffer.alloc(argon2.tagLength),
  });
  return {
    hash: async (password) => {
      const made = fresh();
      return passwordHashText({ ...made, tag: await tagOf(password, made) });
    },
    isRight: async (password, kept) => {
      const parsed = kept === null ? null : parsePasswordHash(kept);
      const tag = await tagOf(password, parsed ?? fresh());
      return parsed !== null && timingSafeEqual(tag, parsed.tag);
    },
  };
}

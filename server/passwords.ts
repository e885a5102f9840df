import { argon2 as hashBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import {
  argon2,
  type HashedPassword,
  parsePasswordHash,
  passwordHashText,
  saltBytes,
} from "./core/password-hash.ts";
import { overloaded } from "./http/problem.ts";

export type Passwords = {
  /** The text to keep. Rejects with the problem `overloaded` while too many wait. */
  hash(password: string): Promise<string>;
  /**
   * Whether it is the password that was kept; null: nothing was, and the answer, which is no, takes as long. Rejects with
   * the problem `overloaded` while too many wait.
   */
  isRight(password: string, kept: string | null): Promise<boolean>;
};

/** More would wait for longer than anybody does: some three seconds. */
const mostWaiting = 50;
const retrySeconds = 2;

const compute = promisify(hashBytes);

/**
 * Hashes passwords by argon2id on one of Node's own threads, one after the other: each takes some 50 ms of a processor, and
 * on a small machine two at once would have visitors wait for theirs.
 */
export function createPasswords({ randomBytes }: { randomBytes: (size: number) => Buffer }): Passwords {
  let isBusy = false;
  const waiting: (() => void)[] = [];
  const tagOf = async (
    password: string,
    { salt, memory, passes, parallelism, tag }: HashedPassword,
  ): Promise<Buffer> => {
    if (isBusy) {
      if (waiting.length >= mostWaiting) throw overloaded(retrySeconds);
      await new Promise<void>((resume) => waiting.push(resume));
    }
    isBusy = true;
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
      if (next === undefined) isBusy = false;
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

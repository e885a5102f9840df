import { promisify } from "node:util";
import {
  brotliDecompress,
  type CompressCallback,
  constants,
  gunzip,
  inflate,
  zstdDecompress,
} from "node:zlib";
import type { Call } from "./call.ts";
import { Problem } from "./problem.ts";

/** How much a body may hold. */
export type BodyLimits = {
  /** How many bytes may be sent, and how many they may unpack to. */
  bytes: number;
  /** How many members the object and all that it holds may have together. */
  members: number;
};

/** Promised by the contract: an event of a browser is far smaller, and no body of the contract has as many members. */
const usualLimits: BodyLimits = { bytes: 16 * 1024, members: 64 };

/** Reads a body of JSON, whichever of the given types it is called. */
export async function readJson(
  call: Call,
  types: readonly string[],
  limits = usualLimits,
): Promise<Record<string, unknown>> {
  const has = hasBody(call);
  checkType(call, types, has);
  return toObject(has ? await readBytes(call, limits) : new Uint8Array(), limits);
}

/** Reads what a form of a page of ours sends: each name's first value. */
export async function readForm(call: Call): Promise<Record<string, string>> {
  if (typeIn(call.headers["content-type"] ?? "") !== "application/x-www-form-urlencoded") {
    throw new Problem("unsupported_media_type", "The body must be a form.");
  }
  const bytes = await readBytes(call, usualLimits);
  const given = new URLSearchParams(new TextDecoder().decode(bytes));
  return Object.fromEntries([...given].toReversed());
}

/** Reads a body as it was sent, whatever its type and encoding. */
export async function readPlain(call: Call, most = usualLimits.bytes): Promise<Uint8Array> {
  const bytes = await call.body(most).catch(() => {
    throw new Problem("malformed_request", "The body ended too early.");
  });
  if (bytes === null) throw tooLarge(most);
  return bytes;
}

/** RFC 9112 section 6: a request has a body when one of these two says so. */
const hasBody = ({ headers }: Call): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/** The type of a body that is none is not looked at: that it is missing says more. */
const checkType = ({ headers }: Call, types: readonly string[], has: boolean): void => {
  const given = headers["content-type"] ?? "";
  if (types.includes(given)) return;
  const type = typeIn(given);
  const charset = /;\s*charset="?([^";\s]*)/i.exec(given)?.[1] ?? "utf-8";
  if ((!has || types.includes(type)) && /^utf-?8$/i.test(charset)) return;
  throw new Problem(
    "unsupported_media_type",
    `The body must be JSON in UTF-8, sent as ${types.join(" or ")}.`,
  );
};

/** A Content-Type without its parameters. */
const typeIn = (given: string): string => {
  const semicolon = given.indexOf(";");
  return (semicolon === -1 ? given : given.slice(0, semicolon)).trim().toLowerCase();
};

/**
 * A frame of zstd has its window made before a byte is unpacked, 128 MiB by Node's default: eleven bytes would have V8 collect all
 * garbage. 8 MiB is the most that a sender may ask for (RFC 9659 section 3).
 */
const zstdWindow = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const unpackZstd = (bytes: Uint8Array, options: object, done: CompressCallback): void =>
  zstdDecompress(bytes, { ...options, ...zstdWindow }, done);

const unpackers = new Map(
  Object.entries({ gzip: gunzip, deflate: inflate, br: brotliDecompress, zstd: unpackZstd }).map(
    ([encoding, unpack]) => [encoding, promisify<Uint8Array, object, Buffer>(unpack)],
  ),
);

const encodings = `The body's encoding must be ${[...unpackers.keys()].join(", ")} or none.`;

const readBytes = async (call: Call, { bytes: most }: BodyLimits): Promise<Uint8Array> => {
  const encoding = (call.headers["content-encoding"] || "identity").toLowerCase();
  const unpack = unpackers.get(encoding);
  if (encoding !== "identity" && unpack === undefined) {
    throw new Problem("unsupported_media_type", encodings);
  }
  const bytes = await readPlain(call, most);
  return unpack === undefined || bytes.length === 0 ? bytes : unpacked(bytes, unpack, most);
};

const unpacked = async (
  bytes: Uint8Array,
  unpack: (bytes: Uint8Array, options: object) => Promise<Buffer>,
  most: number,
): Promise<Uint8Array> => {
  try {
    return await unpack(bytes, { maxOutputLength: most });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(most);
    throw new Problem("malformed_request", "The request could not be read.");
  }
};

const tooLarge = (most: number): Problem =>
  new Problem("body_too_large", `The body must be at most ${most / 1024} KiB.`);

/** Many times what any body of ours nests. */
const mostDepth = 32;

const utf8 = new TextDecoder("utf-8", { fatal: true });

const toObject = (bytes: Uint8Array, { members }: BodyLimits): Record<string, unknown> => {
  const parsed = parseJson(bytes);
  if (!isObject(parsed)) throw new Problem("invalid_body", "The body must be one JSON object in UTF-8.");
  if (countMembers(parsed, 0, members) > members) {
    const limits = `at most ${members} members, ${mostDepth} deep`;
    throw new Problem("invalid_body", `The body must hold ${limits}.`);
  }
  return parsed;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
};

/** Stops as soon as the answer is "too many", or infinitely many: what nests so deep is crossed by no thread and no stack. */
const countMembers = (value: unknown, before: number, most: number, depth = 0): number => {
  let count = before;
  if (typeof value !== "object" || value === null) return count;
  if (depth > mostDepth) return Number.POSITIVE_INFINITY;
  for (const member of Object.values(value)) {
    count += 1;
    if (count > most) return count;
    count = countMembers(member, count, most, depth + 1);
  }
  return count;
};

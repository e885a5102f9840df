/** Enough that no two processes begin alike; eleven characters of base64url. */
const prefixBytes = 8;

/**
 * Names requests: a random beginning for the life of the process, and a number that only grows. Random for each request
 * would cost more than the rest of a small answer, and would tell nobody more.
 */
export function createRequestIds(randomBytes: (size: number) => Buffer): () => string {
  const prefix = `${randomBytes(prefixBytes).toString("base64url")}-`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(36);
  };
}

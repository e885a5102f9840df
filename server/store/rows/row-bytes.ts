/** The 12 bytes that tables keep of a request's key, which is 16 characters of base64url elsewhere. */
export function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url");
}

/** The text of bytes that a table keeps: a request's key, a visitor's hash, a click's id. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The one token of an `Authorization: Bearer` header (RFC 6750 §2.1; the scheme's name in any case, RFC 9110 §11.1).
 * Null for no header, another scheme, no token, or more than one.
 */
export function bearerToken(header: string | undefined): string | null {
  return header === undefined || header.length > 4096 ? null : (bearer.exec(header)?.[1] ?? null);
}

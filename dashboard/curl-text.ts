import { type Query, queryText } from "./api.ts";

/** The call of /v1 that answers as the page does, for a shell; the key is the caller's own. */
export function curlText(baseUrl: string, path: string, query: Query): string {
  const asked = queryText(query);
  const address = `${baseUrl.replace(/\/$/, "")}${path}${asked && `?${asked}`}`;
  // In single quotes a shell changes nothing, and an address has none: queries are escaped.
  return `curl -s '${address.replaceAll("'", "%27")}' -H "Authorization: Bearer $KEY"`;
}

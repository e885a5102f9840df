/**
 * Speaks to the service: without cookies, and with no more of the page's address than its origin. Rejects also where a
 * page's own `fetch` throws.
 */
export async function request(url: string, more?: RequestInit): Promise<Response> {
  return fetch(url, { credentials: "omit", referrerPolicy: "origin", ...more });
}

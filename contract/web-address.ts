import { z } from "zod";
import { isPlain } from "./text.ts";

/**
 * An address of a page or of a picture: `http` or `https`, at most 2,048 UTF-16 units, without the blanks at its ends and the
 * tabs and line ends within it, which browsers drop as well. It holds no other control character, which PostgreSQL could not
 * keep (NUL), and no user name or password, which every visitor would be told.
 */
export function webAddress({ httpsOnly = false }: { httpsOnly?: boolean } = {}) {
  return z
    .url(httpsOnly ? { protocol: /^https$/, error: "must be an https address" } : { protocol: /^https?$/ })
    .max(2048)
    .refine(isPlain, "must hold no control characters")
    .refine((text) => !hasUserInfo(text), "must hold no user name and no password");
}

const hasUserInfo = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && (url.username !== "" || url.password !== "");
};

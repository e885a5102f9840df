import type { Call } from "./call.ts";

/** What a browser that somebody is signed in with sends; null: nobody is. It is a secret, and is neither kept nor logged. */
export function sessionCookieOf(
  { baseUrl }: { baseUrl: string },
  { headers }: Pick<Call, "headers">,
): string | null {
  // A browser takes the prefix over https alone.
  const name = baseUrl.startsWith("https:") ? "__Host-offers" : "offers";
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const own = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  // Of two cookies of one name nobody can say which one is true.
  return own.length === 1 && own[0] !== "" ? (own[0] ?? null) : null;
}

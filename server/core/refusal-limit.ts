import type { Endpoint, RateLimitName } from "@offers/contract/endpoints";
import type { DashErrorCode, ErrorCode } from "@offers/contract/problem";

/**
 * The limit that a refused call is counted under by its address alone, so that guessing is limited too, whatever it
 * names; null: it was no guess, or was counted before.
 * @param wasCounted whether the call was counted for its website and address already.
 */
export function refusalLimit(
  { group, limit }: Pick<Endpoint, "group" | "limit">,
  { code, status }: { code: ErrorCode | DashErrorCode; status: number },
  wasCounted: boolean,
): RateLimitName | null {
  if (group === "server" || group === "backend") return code === "unauthorized" ? "wrong_credential" : null;
  if (group !== "embed") return null;
  if (limit === "session_poll" && code === "not_found") return "unknown_session";
  // Nothing was guessed where the call could not be read.
  const isGuess = (status === 400 || status === 403) && code !== "malformed_request";
  return isGuess && !wasCounted ? limit : null;
}

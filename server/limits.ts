import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import type { SharedWindows } from "./core/shared-windows.ts";
import { createSignInLimit } from "./core/sign-in-limit.ts";
import type { TokenKeys } from "./core/token-keys.ts";
import { createRateLimits } from "./http/rate-limits.ts";
import { createSharedLimits } from "./http/shared-limits.ts";
import { createSharedSignInLimit } from "./http/shared-sign-in-limit.ts";

/** The limits of calls and of sign-ins: of this process alone, or of all nodes that count together. */
export function createLimits(
  windows: SharedWindows | null,
  {
    rateLimitFactor,
    tokenKeys,
    log,
  }: Pick<Config, "rateLimitFactor"> & { tokenKeys: TokenKeys; log: Pick<Context["log"], "warn" | "info"> },
): Pick<Context, "rateLimits" | "signInLimit"> {
  if (windows === null) {
    return { rateLimits: createRateLimits(rateLimitFactor), signInLimit: createSignInLimit() };
  }
  const hash = tokenKeys.sealing.callerHash;
  const onTrouble = (isTrouble: boolean, err: Error | null): void => {
    const nodes = windows.nodes();
    if (isTrouble) {
      log.warn(
        { event: "limits_apart", nodes, err },
        "nobody counts calls of all nodes: each lets in its share of every limit",
      );
    } else log.info({ event: "limits_shared", nodes }, "calls of all nodes are counted together again");
  };
  return {
    rateLimits: createSharedLimits(rateLimitFactor, { windows, hash, onTrouble }),
    signInLimit: createSharedSignInLimit({ windows, hash }),
  };
}

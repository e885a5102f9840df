import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import type { SharedWindows } from "./core/shared-windows.ts";
import { consentTries, createSignInLimit, unknownSessionTries } from "./core/sign-in-limit.ts";
import type { TokenKeys } from "./core/token-keys.ts";
import { createTries } from "./core/tries.ts";
import { createRateLimits } from "./http/rate-limits.ts";
import { createSharedLimits } from "./http/shared-limits.ts";
import { createSharedSignInLimit } from "./http/shared-sign-in-limit.ts";

/** The limits of calls and of sign-ins: of this process alone, or of all nodes that count together; of unknown sessions and consents always its own. */
export function createLimits(
  windows: SharedWindows | null,
  {
    rateLimitFactor,
    tokenKeys,
    log,
  }: Pick<Config, "rateLimitFactor"> & { tokenKeys: TokenKeys; log: Context["log"] },
): Pick<Context, "rateLimits" | "signInLimit" | "unknownSessions" | "askedConsents"> {
  const ownAlone = {
    unknownSessions: createTries(unknownSessionTries),
    askedConsents: createTries({ ...consentTries, most: consentTries.most * rateLimitFactor }),
  };
  if (windows === null) {
    const rateLimits = createRateLimits(rateLimitFactor);
    return { rateLimits, signInLimit: createSignInLimit(), ...ownAlone };
  }
  const hash = tokenKeys.sealing.callerHash;
  const onTrouble = (isTrouble: boolean, err: Error | null): void => {
    const nodes = windows.nodes();
    if (isTrouble) log({ event: "limits_apart", nodes, err });
    else log({ event: "limits_shared", nodes });
  };
  return {
    rateLimits: createSharedLimits(rateLimitFactor, { windows, hash, onTrouble }),
    signInLimit: createSharedSignInLimit({ windows, hash }),
    ...ownAlone,
  };
}

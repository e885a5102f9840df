import type { PathOf } from "@offers/contract/endpoints";
import type { Context } from "../context.ts";
import type { Answer, Call } from "./call.ts";
import type { ClientAddress } from "./client-address.ts";
import { refuseCredential } from "./credentials.ts";
import type { Header } from "./head.ts";
import { visitorKey } from "./rate-limits.ts";
import { answerOtherMethods, endpointOf, type Route, takeTurn } from "./route.ts";

/** What anybody's call comes to its handler with. */
export type OpenCall = { call: Call; client: ClientAddress };

/** A route for anyone. One with a limit is no way around the routes that want a credential, and refuses any. */
export function openRoute(
  context: Context,
  path: PathOf<"open">,
  {
    head,
    refuse,
    problemPage,
    reply,
  }: {
    /** What every answer of the route starts from. */
    head?: readonly Header[];
    /** Throws for a call that is not to be answered at all. */
    refuse?: (call: Call) => void;
    problemPage?: Route["problemPage"];
    reply: (given: OpenCall, context: Context) => Answer | Promise<Answer>;
  },
): Route {
  const endpoint = endpointOf("open", path);
  const { limit, isLimitSilent } = endpoint;
  return {
    endpoint,
    ...(head && { head }),
    ...(problemPage && { problemPage }),
    answer: (call, told) => {
      if (limit !== null) refuseCredential(call);
      if (head !== undefined) told.head = head;
      const other = answerOtherMethods(endpoint, call);
      if (other !== null) return other;
      refuse?.(call);
      const client = context.clientOf(call);
      // Where the limit is silent, the handler counts the call and makes of it what it will.
      const isCounted = limit !== null && !isLimitSilent;
      const asking = isCounted ? takeTurn(context, told, limit, visitorKey(null, client)) : undefined;
      const given = { call, client };
      return asking === undefined ? reply(given, context) : asking.then(() => reply(given, context));
    },
  };
}

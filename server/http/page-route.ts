import type { PathOf } from "@offers/contract/endpoints";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { readJson } from "./body.ts";
import type { Answer, Call } from "./call.ts";
import type { ClientAddress } from "./client-address.ts";
import { refuseCredential } from "./credentials.ts";
import { visitorKey } from "./rate-limits.ts";
import { parseQuery, type Reader } from "./read.ts";
import { answerOtherMethods, endpointOf, type Route, refuseWhenFull, type Told, takeTurn } from "./route.ts";

/** What a page's call comes to its handler with. */
export type PageCall<Asked> = {
  /** Its query, or its body. */
  asked: Asked;
  /** Whose page it is. */
  website: Website;
  client: ClientAddress;
  call: Call;
};

/**
 * A route for the pages of websites. `admit` finds whose page it is, and whatever else has to be right before the call
 * is counted for its visitor; what it returns stands beside the rest of the call.
 */
export function pageRoute<Asked, Admitted extends { website: Website }>(
  context: Context,
  path: PathOf<"embed">,
  {
    asks,
    admit,
    reply,
  }: {
    asks: Reader<Asked>;
    admit: (asked: Asked, call: Call, context: Context) => Admitted;
    reply: (given: PageCall<Asked> & Admitted, context: Context) => Answer | Promise<Answer>;
  },
): Route {
  const endpoint = endpointOf("embed", path);
  const { limit, bodyTypes } = endpoint;
  const answerTo = (asked: Asked, call: Call, told: Told): Answer | Promise<Answer> => {
    const admitted = admit(asked, call, context);
    told.website = admitted.website;
    const client = context.clientOf(call);
    const given = { ...admitted, asked, client, call };
    const asking =
      limit === null ? undefined : takeTurn(context, told, limit, visitorKey(admitted.website.id, client));
    return asking === undefined ? reply(given, context) : asking.then(() => reply(given, context));
  };
  return {
    endpoint,
    answer: (call, told) => {
      refuseCredential(call);
      const other = answerOtherMethods(endpoint, call);
      if (other !== null) return other;
      refuseWhenFull(endpoint, context);
      if (bodyTypes === undefined) return answerTo(asks.read(parseQuery(call)), call, told);
      return readJson(call, bodyTypes).then((body) =>
        // Our own client sends no query, and pays for none.
        answerTo(asks.read(body, call.query === "" ? undefined : parseQuery(call)), call, told),
      );
    },
  };
}

import { callHeaders } from "@offers/contract/dash/call-headers";
import type { DashEndpoint } from "@offers/contract/dash/endpoint";
import { type DashOperation, dashEndpoints, type ParamOf } from "@offers/contract/dash/endpoints";
import type { Context } from "../context.ts";
import { type Access, accessOf, type Wanted } from "../core/access.ts";
import type { Actor } from "../core/actor.ts";
import type { Membership, SignedIn } from "../core/signed-in.ts";
import { type BodyLimits, readJson } from "./body.ts";
import type { Answer, Call } from "./call.ts";
import { notSignedIn, Problem, unknownSubject } from "./problem.ts";
import { parseQuery, type Reader } from "./read.ts";
import { type Told, takeTurn } from "./route.ts";
import { refuseForeignPage, signedInBy } from "./sign-in.ts";

/** What answers the calls of one path and method below /dash: an endpoint of the dashboard's table, or a page. */
export type DashRoute = {
  endpoint: Pick<DashEndpoint, "method"> & { path: string };
  /** People come here themselves: they are told of a problem by a page. */
  isPage?: true;
  answer(call: Call, told: Told): Answer | Promise<Answer>;
};

/** What a call of somebody who is signed in comes to its handler with. */
type DashCall<Asked, Param extends string> = {
  /** Its query; of a change its body. */
  asked: Asked;
  /** The ids of its path, decoded; none was looked up but the publisher's. */
  params: Readonly<Record<Param, string>>;
  by: SignedIn;
  /** The same as whoever changes something. */
  actor: Actor;
  /** Of the publisher that the path names; null where it names none. */
  publisher: "publisher" extends Param ? Membership : null;
  /** Whether it is an operator who looks, and no member. */
  isLookingAs: boolean;
  /** The version that the change is about, by `If-Match`; undefined: any. */
  ifVersion: number | undefined;
  call: Call;
};

/** More than any allowlist and any offer takes. */
const bodyLimits = { bytes: 512 * 1024, members: 20_000 };

/**
 * A route for those who are signed in: let in is who has a living session and the row's role, and a change only from a
 * page of ours.
 */
export function dashRoute<Operation extends DashOperation, Asked>(
  context: Context,
  operation: Operation,
  {
    asks,
    limits = bodyLimits,
    reply,
  }: {
    asks: Reader<Asked>;
    /** Of a body that may be larger than others. */
    limits?: BodyLimits;
    reply: (given: DashCall<Asked, ParamOf<Operation>>, context: Context) => Answer | Promise<Answer>;
  },
): DashRoute {
  const endpoint = endpointOf(operation);
  const isReading = endpoint.method === "GET";
  const paramsOf = prepareParams(endpoint.path);
  return {
    endpoint,
    answer: async (call, told) => {
      if (!isReading) refuseForeignPage(call, context.baseUrl);
      const params = paramsOf(call.path);
      const { publisher: publisherId = null } = params;
      const wanted = {
        who: endpoint.who,
        needsRecentSignIn: endpoint.needsRecentSignIn ?? false,
        publisherId,
        isReading,
      };
      const first = await requireSignedIn(context, call);
      await takeTurn(context, told, "dashboard", String(first.sessionId));
      let given = await letIn(context, wanted, first);
      const { isLookingAs, publisher: lookedAt } = given.access;
      if (isLookingAs && endpoint.who !== "operator" && lookedAt !== null) {
        await context.desk.ask("noteLook", { publisherId: lookedAt.publisherId }, given.actor);
      }
      const isWithBody = !isReading && hasBody(call);
      const body = isWithBody ? await readJson(call, ["application/json"], limits) : {};
      const asked = asks.read(isReading ? parseQuery(call) : body);
      // A body takes its sender's time, within which a session or a role can end.
      if (isWithBody) given = await letIn(context, wanted, await requireSignedIn(context, call));
      const { by, actor, access } = given;
      return reply(
        {
          asked,
          params: params as Record<ParamOf<Operation>, string>,
          by,
          actor,
          // Whoever is let in at a path with a publisher is told which.
          publisher: access.publisher as DashCall<Asked, ParamOf<Operation>>["publisher"],
          isLookingAs: access.isLookingAs,
          ifVersion: versionOf(call),
          call,
        },
        context,
      );
    },
  };
}

const requireSignedIn = async (context: Context, call: Call): Promise<SignedIn> => {
  const by = await signedInBy(context, call);
  const account = call.headers[callHeaders.account];
  if (by === null || (account !== undefined && account !== String(by.userId))) throw notSignedIn();
  return by;
};

type LetIn = { by: SignedIn; actor: Actor; access: Extract<Access, { outcome: "granted" }> };

/** Judges what somebody wants as things stand at this moment, and refuses what is not theirs. */
const letIn = async (context: Context, wanted: Wanted, by: SignedIn): Promise<LetIn> => {
  const other = await otherPublisher(context, by, wanted.publisherId);
  const access = accessOf(wanted, by, other, context.clock());
  if (access.outcome === "unknown") throw unknownSubject();
  if (access.outcome === "role_too_low") {
    throw new Problem("role_too_low", `This needs the role ${access.needed}. Ask an owner of the publisher.`);
  }
  if (access.outcome === "sign_in_again") {
    throw new Problem(
      "sign_in_again",
      "Give your password again: it was not given for a quarter of an hour.",
    );
  }
  return { by, actor: { kind: "user", userId: by.userId, name: by.name }, access };
};

/** A request that changes something may have no body: RFC 9112 section 6 says how it says so. */
const hasBody = ({ headers }: Call): boolean =>
  (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;

/** The publisher that an operator looks at without being one of its team. */
const otherPublisher = async (
  context: Context,
  { isOperator, memberships }: SignedIn,
  publisherId: string | null,
): Promise<Membership | null> => {
  if (publisherId === null || !isOperator) return null;
  if (memberships.some((one) => one.publisherId === publisherId)) return null;
  return context.desk.ask("findPublisher", { publisherId });
};

/** `"17"` of RFC 9110 section 13.1.1; a version that is no number is none that anything has. */
const versionOf = ({ headers }: Call): number | undefined => {
  const given = headers["if-match"];
  if (given === undefined || given.trim() === "*") return undefined;
  const digits = /^"(\d{1,15})"$/.exec(given.trim())?.[1];
  return digits === undefined ? -1 : Number(digits);
};

const endpointOf = (operation: DashOperation): DashEndpoint => {
  const found = dashEndpoints.find(({ method, path }) => `${method} ${path}` === operation);
  if (found === undefined) throw new TypeError(`the contract has no ${operation}`);
  return found;
};

/** Prepares what reads the ids out of a path that is known to be of this pattern, and to be decodable. */
export function prepareParams(pattern: string): (path: string) => Record<string, string> {
  const steps = pattern.split("/").map((step) => (step.startsWith(":") ? step.slice(1) : null));
  return (path) => {
    const given = path.split("/");
    const params: Record<string, string> = {};
    for (const [at, name] of steps.entries()) {
      if (name !== null) params[name] = decodeURIComponent(given[at] ?? "");
    }
    return params;
  };
}

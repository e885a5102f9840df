import { z } from "zod";
import { verticalName, websiteLanguage } from "./catalogue.ts";
import { decisionQuery } from "./decision.ts";
import { durationWords } from "./duration-words.ts";
import { requestId, sessionId } from "./ids.ts";
import { location } from "./location.ts";
import { filledLine } from "./text.ts";
import { declineSession } from "./words.ts";

/**
 * Query of POST /v1/widget-decline/session, which has no body. Beside the two keys it takes the same hints and
 * simulated places as the decision: the offers that follow are those of the place that is found here.
 */
export const openSessionQuery = decisionQuery.omit({ mode: true, frequency: true });

/** Query of GET /v1/widget-decline/session/:sessionId. */
export const pollSessionQuery = decisionQuery.pick({ pub: true, website: true });

/** Path of GET /v1/widget-decline/session/:sessionId. */
export const sessionPath = z.object({ sessionId });

const session = {
  sessionId,
  expiresAt: z.iso
    .datetime()
    .describe(
      `Until when the session lives, in UTC: ${durationWords(declineSession.lifeSeconds)} after its opening.`,
    ),
  pollAfterMs: z.int().describe("Milliseconds that a page waits before its next poll."),
  language: websiteLanguage,
};

/** Answer to the opening, with status 201. */
export const openedSession = z.object({
  ...session,
  status: z.literal("pending").describe("The visitor waits for the website's server."),
});
export type OpenedSession = z.infer<typeof openedSession>;

export const readySession = z.object({
  ...session,
  status: z
    .literal("ready")
    .describe("The website's server has declined the visitor: the offers may be fetched."),
  requestId,
  ...location.shape,
});

export const expiredSession = z.object({
  ...session,
  status: z.literal("expired").describe("Final: polling ends."),
});

/** Answer to a poll. */
export const sessionState = z.discriminatedUnion("status", [openedSession, readySession, expiredSession]);
export type SessionState = z.infer<typeof sessionState>;

/** The most verticals that one trigger may name. As many are sealed into a requestId, whose length they decide. */
export const mostSuppressed = 20;

/** For readers of the document, which says only what stands before the change of case. */
const inAnyCase = { maxLength: 40, pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$" };
const suppressedVertical = z.string().meta(inAnyCase).toLowerCase().pipe(verticalName);

/**
 * What is written for what withholds offers, by its letters alone: ignored as other unknown members are, it would leave a
 * visitor unprotected (decisions.md#slips-in-a-report).
 */
export const triggerSlips = {
  declinereason: "reason",
  reasoncode: "reason",
  blockverticals: "suppressVerticals",
  excludeverticals: "suppressVerticals",
  suppress: "suppressVerticals",
  suppressed: "suppressVerticals",
  suppressedverticals: "suppressVerticals",
  suppressvertical: "suppressVerticals",
  suppression: "suppressVerticals",
  verticals: "suppressVerticals",
} as const;

/** Body of POST /v1/widget-decline/trigger. */
export const triggerBody = z
  .object({
    sessionId,
    reason: filledLine(64)
      .describe(
        "The website's own word for why. `self_excluded`, `self_exclusion` and `underage`, in any case and with any " +
          "separator or none, withhold every gambling, trading and loan offer from this visitor. Any other word, such as " +
          "`minor`, withholds nothing: name what is to be withheld in `suppressVerticals` then.",
      )
      .optional(),
    suppressVerticals: z
      .array(suppressedVertical)
      .max(mostSuppressed, `must name at most ${mostSuppressed} verticals`)
      .describe(
        "Verticals of which this visitor is shown no offer, whatever the allowlist permits, in any case.",
      )
      .optional(),
    secret: z
      .string()
      .max(200)
      .describe("The integration secret, for a caller that can set no header.")
      .optional(),
  })
  .meta({ id: "Trigger" });
export type TriggerBody = z.infer<typeof triggerBody>;

/** Answer to a trigger, and to every later one of the same session. */
export const triggerAnswer = z.object({
  sessionId,
  status: z.literal("ready").describe("By this call or an earlier one."),
});
export type TriggerAnswer = z.infer<typeof triggerAnswer>;

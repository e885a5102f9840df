import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { type FieldError, readApplication } from "./loan-application.ts";
import { decideLoan, type LoanDecision } from "./loan-decision.ts";
import { plainPage } from "./pages/plain-page.ts";
import { type Telling, type Told, tellService } from "./tell-service.ts";

type LenderSettings = Pick<Telling, "serviceOrigin" | "integrationSecret" | "patienceMs">;

/** The answer to the form. The reason of a refusal is the lender's own, and decides what the service may show. */
type ApplyAnswer = { errors: readonly FieldError[] } | LoanDecision | (LoanDecision & { offers: Told });

/**
 * POST /loan/apply: the lender's own backend. An application is decided whenever it is sent, always by the same rule.
 * One that is declined and names the session that the applicant's page has opened is told to the service.
 */
export function applyRoute(settings: LenderSettings): (RequestHandler | ErrorRequestHandler)[] {
  return [
    // Only JSON is taken: a page of another site cannot send it without a preflight, which is refused.
    express.json({ limit: "4kb", type: "application/json" }),
    onUnreadable,
    apply(settings),
  ];
}

const apply =
  (settings: LenderSettings): RequestHandler =>
  async (request, response) => {
    const reply = (status: number, answer: ApplyAnswer) => response.status(status).json(answer);
    if (!request.is("application/json")) return void response.status(415).send(withoutScript);
    const reading = readApplication(request.body);
    if (!reading.ok) return void reply(400, { errors: reading.errors });
    const decision = decideLoan(reading.application);
    const sessionId = sessionIn(request.body);
    if (decision.outcome === "approved" || sessionId === null) return void reply(200, decision);
    const offers = await tellService({ ...settings, sessionId, reason: decision.reason });
    reply(200, { ...decision, offers });
  };

const withoutScript = plainPage(
  "Your application was not read",
  "The form needs its script, and your browser did not run it. Go back and load the page again.",
  "415",
);

function sessionIn(body: unknown): string | null {
  const sessionId: unknown = Reflect.get(Object(body), "sessionId");
  return typeof sessionId === "string" && /^dcl_[\w-]{1,64}$/.test(sessionId) ? sessionId : null;
}

const onUnreadable: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const isTooLong = Reflect.get(Object(error), "status") === 413;
  response
    .status(isTooLong ? 413 : 400)
    .json({ errors: [{ field: "amount", message: "What was sent could not be read." }] });
};

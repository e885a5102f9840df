import express, { type ErrorRequestHandler, type Router } from "express";
import { type FieldError, readApplication } from "./loan-application.ts";
import { decideLoan, type LoanDecision } from "./loan-decision.ts";
import { plainPage } from "./pages/plain-page.ts";
import { recentRefusals } from "./recent-refusals.ts";
import { type Telling, type Told, tellService } from "./tell-service.ts";

type LenderSettings = Pick<Telling, "serviceOrigin" | "integrationSecret" | "patienceMs">;

/** The answer to the form. The reason of a refusal is the lender's own, and decides what the service may show. */
type ApplyAnswer = { errors: readonly FieldError[] } | LoanDecision | (LoanDecision & { reference: string });

type OffersAnswer = { error: string } | { offers: Told };

/**
 * The lender's own backend, which a page calls twice. `POST /apply` has the application, which is decided this once: a
 * refusal is answered with a reference to it. `POST /offers` has that reference and the session that the page has opened
 * since, of which the service is told. What it says of the applicant the lender has decided itself, and no page.
 */
export function loanRoutes(settings: LenderSettings): Router {
  const refusals = recentRefusals();
  const routes = express.Router();
  // Only JSON is taken: a page of another site cannot send it without a preflight, which is refused.
  routes.use(express.json({ limit: "4kb", type: "application/json" }), onUnreadable);

  routes.post("/apply", (request, response) => {
    const reply = (status: number, answer: ApplyAnswer) => response.status(status).json(answer);
    if (!request.is("application/json")) return void response.status(415).send(withoutScript);
    const reading = readApplication(request.body);
    if (!reading.ok) return void reply(400, { errors: reading.errors });
    const decision = decideLoan(reading.application);
    if (decision.outcome === "approved") return void reply(200, decision);
    reply(200, { ...decision, reference: refusals.keep(decision.reason) });
  });

  routes.post("/offers", async (request, response) => {
    const reply = (status: number, answer: OffersAnswer) => response.status(status).json(answer);
    const sessionId = textIn(request.body, "sessionId");
    if (!/^dcl_[\w-]{1,64}$/.test(sessionId)) return void reply(400, { error: "That is no session." });
    const reason = refusals.take(textIn(request.body, "reference"));
    if (reason === null) return void reply(404, { error: "No refusal is kept under that reference." });
    reply(200, { offers: await tellService({ ...settings, sessionId, reason }) });
  });
  return routes;
}

const withoutScript = plainPage(
  "Your application was not read",
  "The form needs its script, and your browser did not run it. Go back and load the page again.",
  "415",
);

function textIn(body: unknown, member: string): string {
  const value: unknown = Reflect.get(Object(body), member);
  return typeof value === "string" ? value : "";
}

const onUnreadable: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const isTooLong = Reflect.get(Object(error), "status") === 413;
  response
    .status(isTooLong ? 413 : 400)
    .json({ errors: [{ field: "amount", message: "What was sent could not be read." }] });
};

import type { RequestListener } from "node:http";
import { endpoints, type PathOf } from "@offers/contract/endpoints";
import express, { type Express } from "express";
import type { Context } from "./context.ts";
import { createAccessLog } from "./http/access-log.ts";
import { prepareTurningAway } from "./http/admission.ts";
import { createAnswering } from "./http/answer.ts";
import { createDashAnswering } from "./http/dash-answer.ts";
import {
  refuseBadTargets,
  refuseBrowserCredentials,
  refuseUnknownPath,
  setBaselineHeaders,
  shareWithRegisteredOrigins,
  writeProblems,
} from "./http/express.ts";
import { loggedCall } from "./http/logged-call.ts";
import { beginCall, callOf, type Serve, serveAnswers } from "./http/node-call.ts";
import { createRequestIds } from "./http/request-ids.ts";
import { patternOf, type Route } from "./http/route.ts";
import { serveOauth } from "./oauth/serve-oauth.ts";
import { dashRoutes } from "./routes/dash/dash-routes.ts";
import { decisionRoute } from "./routes/decision.ts";
import { openSessionRoute, pollSessionRoute } from "./routes/decline-session.ts";
import { triggerRoute } from "./routes/decline-trigger.ts";
import { serveDocs } from "./routes/docs.ts";
import { serveEmbed } from "./routes/embed-files.ts";
import { clickRoute, dismissRoute, drawnRoute, impressionRoute, snippetPingRoute } from "./routes/events.ts";
import { explainRoute } from "./routes/explain.ts";
import { gpcRoute } from "./routes/gpc.ts";
import { healthRoute, readyRoute } from "./routes/health.ts";
import { hopRoute } from "./routes/hop.ts";
import { offersRoute } from "./routes/offers.ts";
import { openapiRoute } from "./routes/openapi.ts";
import { csvReportRoute, reportsRoute } from "./routes/reports.ts";
import { serverDecisionRoute } from "./routes/server-decision.ts";
import { serverEventsRoute } from "./routes/server-events.ts";
import { serverOffersRoute } from "./routes/server-offers.ts";
import { whatsMyIpRoute } from "./routes/whats-my-ip.ts";

/** The paths of every visit: Express' router would cost them more than their answers do. */
const busyPaths: readonly string[] = [
  "/v1/decision",
  "/v1/offers",
  "/v1/events/drawn",
  "/v1/events/impression",
  "/v1/events/click",
  "/v1/r",
] satisfies (typeof endpoints)[number]["path"][];

/**
 * Puts the service together. Every endpoint is a function from a call to an answer, and Express serves them all; the
 * busy ones are served by the same function without it.
 */
export function createListener(context: Context, withoutExpress = busyPaths): RequestListener {
  const { answer, refuse } = createAnswering(context, routesOf(context));
  const watch: Parameters<typeof serveAnswers>[1] = {
    onWait: context.load.underWay,
    onFailure: (error, call) =>
      context.log({ event: "answer_not_written", ...loggedCall(call), err: error }, call),
    isDraining: context.isDraining,
  };
  const serve = serveAnswers(answer, watch);
  const serveDash = serveAnswers(createDashAnswering(context, dashRoutes(context)), watch);
  const turnAway = prepareTurningAway(context, refuse);
  const app = createApp(context, serve, serveDash);
  const methodOf = new Map<string, string>(
    endpoints.filter(({ path }) => withoutExpress.includes(path)).map(({ path, method }) => [path, method]),
  );
  const nextId = createRequestIds(context.randomBytes);
  const noteAccess = createAccessLog(context);
  return (req, res) => {
    const call = beginCall(req, nextId());
    noteAccess?.(call, res);
    if (turnAway(call, res)) return;
    if (methodOf.get(call.path) === call.method) serve(call, res);
    else app(req, res);
  };
}

/** Express serves every endpoint by one function, answers preflights, and has the files and the unknown paths. */
const createApp = (context: Context, serve: Serve, serveDash: Serve): Express => {
  const app = express();
  // As patterns: Express would decode a parameter, and refuse a broken one before anybody may read why.
  const paths = [...new Set(endpoints.map(({ path }) => path))].map(patternOf);
  app.disable("x-powered-by");
  // ETags stay on for the embed's files; what is answered from memory is written past Express, and has none.
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  app.all(paths, (req, res, next) => (req.method === "OPTIONS" ? next() : serve(callOf(req), res)));
  app.all(/^\/dash(?:\/|$)/, (req, res) => serveDash(callOf(req), res));
  app.use(setBaselineHeaders);
  // Before anything can fail: a page must be able to read whatever it is told.
  app.use(refuseBrowserCredentials);
  // Before the grants to pages: what is answered to a partner is no page's business.
  serveOauth(app, context);
  app.use("/v1", shareWithRegisteredOrigins(context));
  app.use(refuseBadTargets);
  app.all(paths, (req, res) => serve(callOf(req), res));
  serveEmbed(app, context);
  serveDocs(app, context);
  app.use(refuseUnknownPath, writeProblems(context));
  return app;
};

/** An endpoint of the contract without a route does not compile. */
const routesOf = (context: Context): Route[] => {
  const pages: Record<PathOf<"embed">, Route> = {
    "/v1/decision": decisionRoute(context),
    "/v1/offers": offersRoute(context),
    "/v1/events/drawn": drawnRoute(context),
    "/v1/events/impression": impressionRoute(context),
    "/v1/events/click": clickRoute(context),
    "/v1/events/snippet-ping": snippetPingRoute(context),
    "/v1/events/dismiss": dismissRoute(context),
    "/v1/widget-decline/session": openSessionRoute(context),
    "/v1/widget-decline/session/:sessionId": pollSessionRoute(context),
  };
  const servers: Record<PathOf<"server">, Route> = {
    "/v1/decision": serverDecisionRoute(context),
    "/v1/offers": serverOffersRoute(context),
    "/v1/events": serverEventsRoute(context),
    "/v1/reports/aggregate": reportsRoute(context),
    "/v1/reports/aggregate.csv": csvReportRoute(context),
    "/v1/explain": explainRoute(context),
  };
  const backends: Record<PathOf<"backend">, Route> = {
    "/v1/widget-decline/trigger": triggerRoute(context),
  };
  const anyone: Record<PathOf<"open">, Route> = {
    "/v1/whats-my-ip": whatsMyIpRoute(context),
    "/v1/r": hopRoute(context),
    "/v1/openapi.json": openapiRoute(context),
    "/.well-known/gpc.json": gpcRoute(context),
    "/healthz": healthRoute(context),
    "/readyz": readyRoute(context),
  };
  return [pages, servers, backends, anyone].flatMap((group) => Object.values(group));
};

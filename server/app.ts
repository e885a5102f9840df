import { endpoints } from "@offers/contract/endpoints";
import express, { type Express, type RequestHandler } from "express";
import type { Context } from "./context.ts";
import { checkTarget, setBaselineHeaders } from "./http/baseline-headers.ts";
import { leaveToServerGroup, refuseBrowserCredentials, refuseCredentials } from "./http/caller-group.ts";
import { shareWithRegisteredOrigins } from "./http/cross-origin.ts";
import { unavailable } from "./http/known-problem.ts";
import { logRequests } from "./http/log-requests.ts";
import type { RouteHandlers } from "./http/route-handlers.ts";
import { refuseUnknownPath, writeProblems } from "./http/write-problems.ts";
import { decisionRoute } from "./routes/decision.ts";
import { openSessionRoute, pollSessionRoute } from "./routes/decline-session.ts";
import { triggerRoute } from "./routes/decline-trigger.ts";
import { docsFileRoute, docsPageRoute } from "./routes/docs.ts";
import { embedChunkRoute, embedLoaderRoute } from "./routes/embed-files.ts";
import { clickRoute, impressionRoute, snippetPingRoute } from "./routes/events.ts";
import { healthRoute, readyRoute } from "./routes/health.ts";
import { hopRoute } from "./routes/hop.ts";
import { offersRoute } from "./routes/offers.ts";
import { openapiRoute } from "./routes/openapi.ts";
import { reportsRoute } from "./routes/reports.ts";
import { serverDecisionRoute } from "./routes/server-decision.ts";
import { serverEventsRoute } from "./routes/server-events.ts";
import { serverOffersRoute } from "./routes/server-offers.ts";
import { whatsMyIpRoute } from "./routes/whats-my-ip.ts";

/** Puts the service together: what every answer starts with, the routes of the contract, the one writer of errors. */
export function createApp(context: Context): Express {
  const app = createBareApp(context);
  // Before anything can fail: a page must be able to read whatever it is told.
  app.use("/v1", refuseBrowserCredentials, shareWithRegisteredOrigins(context));
  app.use(checkTarget);
  for (const [path, handlers] of Object.entries(routesOf(context))) {
    app.all(path, keyHoldersAt(path), handlers);
  }
  for (const [path, handlers] of Object.entries(serverRoutesOf(context))) app.all(path, handlers);
  for (const [path, handlers] of Object.entries(backendRoutesOf(context))) app.all(path, handlers);
  app.all("/embed.js", embedLoaderRoute(context));
  app.all("/c/:file", embedChunkRoute(context));
  app.all("/docs", docsPageRoute());
  app.all("/docs/:file", docsFileRoute());
  app.use(refuseUnknownPath, writeProblems(context));
  return app;
}

/** What answers while the database is migrated and read: the process is alive, and nobody is served yet. */
export function createStartingApp(context: Pick<Context, "baseUrl" | "log">): Express {
  const app = createBareApp(context);
  const refuse: RequestHandler = () => {
    throw unavailable("The service is starting.");
  };
  app.all("/healthz", healthRoute());
  app.use(refuse, writeProblems(context));
  return app;
}

const createBareApp = (context: Pick<Context, "log">): Express => {
  const app = express();
  app.disable("x-powered-by");
  // ETags stay on for the embed's files; what is answered from memory is written past Express, and has none.
  app.set("query parser", "simple");
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  app.use(setBaselineHeaders, logRequests(context));
  return app;
};

/** What becomes of a call with a credential at a path of the pages. */
const keyHoldersAt = (path: string): RequestHandler[] => {
  const here = endpoints.filter((endpoint) => endpoint.path === path);
  if (here.some(({ group }) => group === "server")) return [leaveToServerGroup];
  return here.some(({ limit }) => limit !== null) ? [refuseCredentials] : [];
};

type Endpoint = (typeof endpoints)[number];
type PathOf<Group extends Endpoint["group"]> = Extract<Endpoint, { group: Group }>["path"];

/** An endpoint of the contract without a route does not compile. */
const routesOf = (context: Context): Record<PathOf<"embed" | "open">, RouteHandlers> => ({
  "/v1/decision": decisionRoute(context),
  "/v1/offers": offersRoute(context),
  "/v1/events/impression": impressionRoute(context),
  "/v1/events/click": clickRoute(context),
  "/v1/events/snippet-ping": snippetPingRoute(context),
  "/v1/widget-decline/session": openSessionRoute(context),
  "/v1/widget-decline/session/:sessionId": pollSessionRoute(context),
  "/v1/whats-my-ip": whatsMyIpRoute(context),
  "/v1/r": hopRoute(context),
  "/v1/openapi.json": openapiRoute(context),
  "/healthz": healthRoute(),
  "/readyz": readyRoute(context),
});

const serverRoutesOf = (context: Context): Record<PathOf<"server">, RouteHandlers> => ({
  "/v1/decision": serverDecisionRoute(context),
  "/v1/offers": serverOffersRoute(context),
  "/v1/events": serverEventsRoute(context),
  "/v1/reports/aggregate": reportsRoute(context),
});

const backendRoutesOf = (context: Context): Record<PathOf<"backend">, RouteHandlers> => ({
  "/v1/widget-decline/trigger": triggerRoute(context),
});

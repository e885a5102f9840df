import createClient from "openapi-fetch";
import type { Called, Given } from "./calls.ts";
import type { paths } from "./dist/for-servers/openapi-typescript.ts";

/** Calls every route of servers by a client of openapi-typescript and openapi-fetch. */
export async function callByOpenapiFetch(given: Given): Promise<Called> {
  const { url, apiKey, integrationSecret, sessionId, fetch } = given;
  const client = createClient<paths>({
    baseUrl: url,
    fetch,
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const { data: decision } = await client.GET("/v1/decision", {
    params: { query: { ip: "81.2.69.142", userAgent: "Mozilla/5.0" } },
  });
  const { data: offers } = await client.GET("/v1/offers", {
    params: { query: { country: "GB", page: 1, pageSize: 2, payoutModel: "CPC" } },
  });
  const report = {
    params: { header: { "Idempotency-Key": "openapi-fetch-1" } },
    body: {
      type: "served" as const,
      websiteKey: "ws_journal",
      offerId: decision?.offer?.id ?? "",
      requestId: decision?.requestId ?? "",
    },
  };
  const { data: event } = await client.POST("/v1/events", report);
  const { data: again } = await client.POST("/v1/events", report);
  const query = {
    groupBy: ["date" as const, "country" as const],
    eventType: ["blocked" as const, "served" as const],
  };
  const { data: rows } = await client.GET("/v1/reports/aggregate", { params: { query } });
  const { data: csv } = await client.GET("/v1/reports/aggregate.csv", { params: { query }, parseAs: "text" });
  const { data: why } = await client.GET("/v1/explain", {
    params: { query: { requestId: decision?.requestId ?? "" } },
  });
  const { data: session } = await client.POST("/v1/widget-decline/trigger", {
    headers: { Authorization: `Bearer ${integrationSecret}` },
    body: { sessionId, reason: "not_creditworthy" },
  });
  const { error } = await client.GET("/v1/offers", { params: { query: { country: "Germany" } } });
  return {
    decision: decision?.decision,
    offerUrl: decision?.offer?.url,
    catalogueTotal: offers?.total,
    isAccepted: event?.accepted,
    isRepeatedAlike: event !== undefined && again?.id === event.id,
    reportDates: rows?.items.map(({ date }) => date),
    csvHeader: csv?.split("\r\n")[0],
    isExplained: why !== undefined && why.considered + why.removed === why.offers.length,
    session: session?.status,
    refusal: { code: error?.code, parameter: error?.errors?.[0]?.parameter },
  };
}

import type { Called, Given } from "./calls.ts";
import { createClient, createConfig } from "./dist/for-servers/hey-api/client/index.ts";
import {
  decide,
  explain,
  listOffers,
  readReport,
  readReportAsCsv,
  reportEvent,
  triggerSession,
} from "./dist/for-servers/hey-api/sdk.gen.ts";
import {
  createClient as createWholeClient,
  createConfig as wholeConfig,
} from "./dist/whole/hey-api/client/index.ts";
import { decide as decideByWhole, listOffers as listByWhole } from "./dist/whole/hey-api/sdk.gen.ts";

/** Calls every route of servers by a client of @hey-api/openapi-ts. */
export async function callByHeyApi(given: Given): Promise<Called> {
  const { url, apiKey, integrationSecret, sessionId, fetch } = given;
  const client = createClient(createConfig({ baseUrl: url, auth: apiKey, fetch }));
  const { data: decision } = await decide({
    client,
    query: { ip: "81.2.69.142", userAgent: "Mozilla/5.0" },
  });
  const { data: offers } = await listOffers({
    client,
    query: { country: "GB", page: 1, pageSize: 2, payoutModel: "CPC" },
  });
  const report = {
    client,
    headers: { "Idempotency-Key": "hey-api-1" },
    body: {
      type: "served" as const,
      websiteKey: "ws_journal",
      offerId: decision?.offer?.id ?? "",
      requestId: decision?.requestId ?? "",
    },
  };
  const { data: event } = await reportEvent(report);
  const { data: again } = await reportEvent(report);
  const query = {
    groupBy: ["date" as const, "country" as const],
    eventType: ["blocked" as const, "served" as const],
  };
  const { data: rows } = await readReport({ client, query });
  const { data: csv } = await readReportAsCsv({ client, query });
  const { data: why } = await explain({ client, query: { requestId: decision?.requestId ?? "" } });
  const { data: session } = await triggerSession({
    client,
    auth: integrationSecret,
    body: { sessionId, reason: "not_creditworthy" },
  });
  const { error } = await listOffers({ client, query: { country: "Germany" } });
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

/** The paths that both groups share, by a client of the whole document: its types say "one of two". */
export async function callSharedPaths({
  url,
  apiKey,
  fetch,
}: Given): Promise<[string | undefined, number | undefined]> {
  const client = createWholeClient(wholeConfig({ baseUrl: url, auth: apiKey, fetch }));
  const { data: decision } = await decideByWhole({ client, query: { ip: "81.2.69.142" } });
  const { data: offers } = await listByWhole({ client, query: { country: "GB" } });
  return [
    decision && "decision" in decision ? decision.decision : undefined,
    offers && "items" in offers ? offers.total : undefined,
  ];
}

import { randomBytes } from "node:crypto";
import { websiteInput } from "@offers/contract/catalogue";
import type { Team } from "@offers/contract/dash/accounts";
import type { DashOperation, ParamOf } from "@offers/contract/dash/endpoints";
import type { DashKey } from "@offers/contract/dash/keys";
import { publisherId, websiteKey } from "@offers/contract/ids";
import { createApiKey } from "../store/catalogue/api-keys.ts";
import { createIntegrationSecret } from "../store/catalogue/integration-secrets.ts";
import { createPartner } from "../store/catalogue/oauth-clients.ts";
import { createGrant } from "../store/catalogue/oauth-grants.ts";
import { createWebsite } from "../store/catalogue/websites.ts";
import { type DashCalls, signedIn } from "./dash-calls.ts";
import { rules } from "./fixture.ts";
import type { TestService } from "./test-service.ts";

/** What an endpoint of the dashboard is called with, beside what `dashAsked` has. */
type Example<Operation extends DashOperation> = {
  /** The ids of its path but for the publisher's, which is publisher A; made anew for each call. */
  params?: (service: TestService, by: DashCalls) => Promise<Record<OwnParam<Operation>, string>>;
} & ([OwnParam<Operation>] extends [never] ? unknown : { params: object });

type OwnParam<Operation extends DashOperation> = Exclude<ParamOf<Operation>, "publisher">;

/** Somebody else of publisher A, to be changed or removed. */
const member = async (service: TestService) => {
  const { userId } = await signedIn(service, { publishers: { publisher_a: "viewer" } });
  return { user: String(userId) };
};

const key = async (service: TestService) => {
  const now = service.context.clock();
  const { keyId } = await createApiKey(service.catalogue, { publisherId: "publisher_a" }, now);
  return { key: keyId } satisfies { key: DashKey["keyId"] };
};

const invitation = async (service: TestService) => {
  const owner = await signedIn(service);
  const path = "/dash/api/publishers/publisher_a/team";
  await owner.change("POST", `${path}/invitations`, { email: `to-${owner.email}`, role: "viewer" });
  const { invitations } = (await owner.get(path)).json<Team>();
  return { invitation: String(invitations.find(({ email }) => email === `to-${owner.email}`)?.invitationId) };
};

const session = async (_: TestService, by: DashCalls) => {
  const answer = await by.get("/dash/api/me/sessions");
  const items = answer.status === 200 ? answer.json<{ items: { sessionId: number }[] }>().items : [];
  return { session: String(items[0]?.sessionId ?? 1) };
};

const grant = async (service: TestService, by: DashCalls) => {
  const now = service.context.clock();
  return { grant: await connectedBy(service, by.userId, now) };
};

const partner = async (service: TestService) => {
  const input = { name: "Tide Tables", redirectUris: ["https://tide.example/back"] };
  const { clientId } = await createPartner(service.catalogue, input, service.context.clock());
  return { client: clientId };
};

const advertiser = async () => ({ advertiser: "advertiser_1" });
const offer = async () => ({ offer: "offer_best" });

const website = async () => ({ website: "ws_a" });

/** A website of publisher A that nobody else calls. Its page is on a loopback host, which is never fetched in production. */
const ownWebsite = async (service: TestService) => {
  const key = websiteKey.parse(`ws_${randomBytes(8).toString("hex")}`);
  const input = websiteInput.parse({
    ...{ publisherId: "publisher_a", name: "Example", origins: ["http://localhost:8788"], development: true },
  });
  const now = service.context.clock();
  await service.change((catalogue) => createWebsite(catalogue, input, { now, rules, key }));
  return { website: key };
};

const secret = async (service: TestService) => {
  const { website: of } = await ownWebsite(service);
  const { secretId } = await createIntegrationSecret(service.catalogue, of, service.context.clock());
  return { website: of, secret: secretId };
};

/** Lets a partner that is made for this act for publisher A, and tells the connection's id. */
export async function connectedBy(service: TestService, userId: number, at: number): Promise<string> {
  const input = { name: "Tide Tables", redirectUris: ["https://tide.example/back"] };
  const { clientId } = await createPartner(service.catalogue, input, at);
  const grantId = `grant_${randomBytes(8).toString("hex")}`;
  await createGrant(service.catalogue, {
    ...{ grantId, clientId, userId, at },
    publisherId: publisherId.parse("publisher_a"),
    scopes: ["reports:read"],
  });
  return grantId;
}

/** Whom one call of every endpoint of the dashboard is about: a row of the contract's table without one does not compile. */
export const dashExamples: { [Operation in DashOperation]: Example<Operation> } = {
  "GET /dash/api/me": {},
  "PATCH /dash/api/me": {},
  "POST /dash/api/me/confirm": {},
  "POST /dash/api/me/password": {},
  "GET /dash/api/me/sessions": {},
  "DELETE /dash/api/me/sessions/:session": { params: session },
  "DELETE /dash/api/me/sessions": {},
  "GET /dash/api/report": {},
  "GET /dash/api/publishers/:publisher/team": {},
  "POST /dash/api/publishers/:publisher/team/invitations": {},
  "DELETE /dash/api/publishers/:publisher/team/invitations/:invitation": { params: invitation },
  "PATCH /dash/api/publishers/:publisher/team/members/:user": { params: member },
  "DELETE /dash/api/publishers/:publisher/team/members/:user": { params: member },
  "GET /dash/api/publishers/:publisher/keys": {},
  "POST /dash/api/publishers/:publisher/keys": {},
  "POST /dash/api/publishers/:publisher/keys/:key/roll": { params: key },
  "DELETE /dash/api/publishers/:publisher/keys/:key": { params: key },
  "GET /dash/api/publishers/:publisher/explain": {},
  "GET /dash/api/publishers/:publisher/websites/:website/simulate": { params: website },
  "GET /dash/api/publishers/:publisher/offers": {},
  "GET /dash/api/publishers/:publisher/activity": {},
  "GET /dash/api/operator/now": {},
  "GET /dash/api/operator/quality": {},
  "GET /dash/api/operator/advertisers": {},
  "POST /dash/api/operator/advertisers": {},
  "GET /dash/api/operator/advertisers/:advertiser": { params: advertiser },
  "GET /dash/api/operator/advertisers/:advertiser/ledger": { params: advertiser },
  "GET /dash/api/operator/advertisers/:advertiser/statement": { params: advertiser },
  "POST /dash/api/operator/advertisers/:advertiser/deposits": { params: advertiser },
  "POST /dash/api/operator/advertisers/:advertiser/adjustments": { params: advertiser },
  "GET /dash/api/operator/offers": {},
  "POST /dash/api/operator/offers": {},
  "GET /dash/api/operator/offers/:offer": { params: offer },
  "PATCH /dash/api/operator/offers/:offer": { params: offer },
  "PUT /dash/api/operator/offers/:offer/status": { params: offer },
  "POST /dash/api/operator/offer-file": {},
  "GET /dash/api/operator/offer-file": {},
  "GET /dash/api/operator/publishers": {},
  "POST /dash/api/operator/publishers": {},
  "GET /dash/api/operator/publishers/:publisher": {},
  "PATCH /dash/api/operator/publishers/:publisher": {},
  "POST /dash/api/operator/publishers/:publisher/invitations": {},
  "GET /dash/api/operator/users": {},
  "POST /dash/api/operator/users": {},
  "PATCH /dash/api/operator/users/:user": { params: member },
  "POST /dash/api/operator/users/:user/links": { params: member },
  "GET /dash/api/operator/partners": {},
  "POST /dash/api/operator/partners": {},
  "DELETE /dash/api/operator/partners/:client": { params: partner },
  "GET /dash/api/publishers/:publisher/websites": {},
  "GET /dash/api/publishers/:publisher/attention": {},
  "GET /dash/api/publishers/:publisher/address": {},
  "POST /dash/api/publishers/:publisher/websites": {},
  "GET /dash/api/publishers/:publisher/websites/:website": { params: website },
  "PATCH /dash/api/publishers/:publisher/websites/:website": { params: ownWebsite },
  "POST /dash/api/publishers/:publisher/websites/:website/pause": { params: ownWebsite },
  "POST /dash/api/publishers/:publisher/websites/:website/resume": { params: ownWebsite },
  "DELETE /dash/api/publishers/:publisher/websites/:website": { params: ownWebsite },
  "POST /dash/api/publishers/:publisher/websites/:website/preview": { params: website },
  "GET /dash/api/publishers/:publisher/websites/:website/allowlist": { params: website },
  "PUT /dash/api/publishers/:publisher/websites/:website/allowlist": { params: ownWebsite },
  "POST /dash/api/publishers/:publisher/websites/:website/allowlist/preview": { params: website },
  "GET /dash/api/publishers/:publisher/websites/:website/secrets": { params: website },
  "POST /dash/api/publishers/:publisher/websites/:website/secrets": { params: ownWebsite },
  "DELETE /dash/api/publishers/:publisher/websites/:website/secrets/:secret": { params: secret },
  "GET /dash/api/publishers/:publisher/websites/:website/health": { params: website },
  "POST /dash/api/publishers/:publisher/websites/:website/health/check-page": { params: ownWebsite },
  "POST /dash/api/publishers/:publisher/websites/:website/health/register-origin": { params: ownWebsite },
  "GET /dash/api/publishers/:publisher/apps": {},
  "DELETE /dash/api/publishers/:publisher/apps/:grant": { params: grant },
};

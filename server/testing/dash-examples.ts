import { randomBytes } from "node:crypto";
import type { Team } from "@offers/contract/dash/accounts";
import type { DashOperation, ParamOf } from "@offers/contract/dash/endpoints";
import type { DashKey } from "@offers/contract/dash/keys";
import { publisherId } from "@offers/contract/ids";
import { createApiKey } from "../store/catalogue/api-keys.ts";
import { createPartner } from "../store/catalogue/oauth-clients.ts";
import { createGrant } from "../store/catalogue/oauth-grants.ts";
import { type DashCalls, signedIn } from "./dash-calls.ts";
import type { TestService } from "./test-service.ts";

/** The password that whoever calls an example has. */
export const examplePassword = "correct horse battery";

/** What an endpoint of the dashboard is called with, so that nothing but who calls can be refused. */
type Example<Operation extends DashOperation> = {
  /** The ids of its path but for the publisher's, which is publisher A; made anew for each call. */
  params?: (service: TestService, by: DashCalls) => Promise<Record<OwnParam<Operation>, string>>;
  query?: string;
  /** A function where each call must have another one. */
  body?: object | (() => object);
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

/** Of the fixture's one advertiser. */
const newOffer = {
  advertiserId: "advertiser_1",
  brand: "Tide",
  vertical: "travel",
  title: "A week by the sea",
  landingUrl: "https://tide.example/?c={click_id}",
  geoCoverage: ["DE"],
  payoutModel: "CPC",
  payoutMicros: 100_000,
};

const website = async () => ({ website: "ws_a" });

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

/** One call of every endpoint of the dashboard: a row of the contract's table without one does not compile. */
export const dashExamples: { [Operation in DashOperation]: Example<Operation> } = {
  "GET /dash/api/me": {},
  "PATCH /dash/api/me": { body: { name: "Ada" } },
  "POST /dash/api/me/confirm": { body: { password: examplePassword } },
  "POST /dash/api/me/password": {
    body: { password: examplePassword, newPassword: "another horse battery" },
  },
  "GET /dash/api/me/sessions": {},
  "DELETE /dash/api/me/sessions/:session": { params: session },
  "DELETE /dash/api/me/sessions": {},
  "GET /dash/api/report": { query: "publisher=publisher_a" },
  "GET /dash/api/publishers/:publisher/team": {},
  "POST /dash/api/publishers/:publisher/team/invitations": {
    body: { email: "new@example.com", role: "viewer" },
  },
  "DELETE /dash/api/publishers/:publisher/team/invitations/:invitation": { params: invitation },
  "PATCH /dash/api/publishers/:publisher/team/members/:user": { params: member, body: { role: "editor" } },
  "DELETE /dash/api/publishers/:publisher/team/members/:user": { params: member },
  "GET /dash/api/publishers/:publisher/keys": {},
  "POST /dash/api/publishers/:publisher/keys": {
    body: { name: "Reports", scopes: ["reports:read"], websiteKey: null, days: null },
  },
  "POST /dash/api/publishers/:publisher/keys/:key/roll": { params: key, body: { overlapHours: 24 } },
  "DELETE /dash/api/publishers/:publisher/keys/:key": { params: key },
  "GET /dash/api/publishers/:publisher/explain": { query: "requestId={request}" },
  "GET /dash/api/publishers/:publisher/websites/:website/simulate": {
    params: website,
    query: "country=DE",
  },
  "GET /dash/api/publishers/:publisher/offers": {},
  "GET /dash/api/publishers/:publisher/activity": {},
  "GET /dash/api/operator/now": {},
  "GET /dash/api/operator/quality": {},
  "GET /dash/api/operator/advertisers": {},
  "POST /dash/api/operator/advertisers": { body: { name: "Skyhop" } },
  "GET /dash/api/operator/advertisers/:advertiser": { params: advertiser },
  "GET /dash/api/operator/advertisers/:advertiser/ledger": { params: advertiser },
  "POST /dash/api/operator/advertisers/:advertiser/deposits": {
    params: advertiser,
    body: { amount: "2.50" },
  },
  "GET /dash/api/operator/offers": {},
  "POST /dash/api/operator/offers": { body: newOffer },
  "GET /dash/api/operator/offers/:offer": { params: offer },
  "PATCH /dash/api/operator/offers/:offer": {
    params: offer,
    body: () => ({ title: `Another title ${randomBytes(4).toString("hex")}` }),
  },
  "PUT /dash/api/operator/offers/:offer/status": { params: offer, body: { status: "active" } },
  "POST /dash/api/operator/offer-file": {
    body: { format: "json", text: JSON.stringify([newOffer]), isDryRun: false },
  },
  "GET /dash/api/operator/offer-file": {},
  "GET /dash/api/operator/publishers": {},
  "POST /dash/api/operator/publishers": { body: { name: "Pier" } },
  "GET /dash/api/operator/publishers/:publisher": {},
  "PATCH /dash/api/operator/publishers/:publisher": { body: { name: "Publisher a" } },
  "POST /dash/api/operator/publishers/:publisher/invitations": { body: { email: "new@example.com" } },
  "GET /dash/api/operator/users": {},
  "POST /dash/api/operator/users": {
    body: () => ({ email: `new-${randomBytes(4).toString("hex")}@example.com` }),
  },
  "PATCH /dash/api/operator/users/:user": { params: member, body: { isDisabled: true } },
  "POST /dash/api/operator/users/:user/links": { params: member },
  "GET /dash/api/operator/partners": {},
  "POST /dash/api/operator/partners": {
    body: { name: "Tide Tables", redirectUris: ["https://tide.example/back"] },
  },
  "DELETE /dash/api/operator/partners/:client": { params: partner },
  "GET /dash/api/publishers/:publisher/apps": {},
  "DELETE /dash/api/publishers/:publisher/apps/:grant": { params: grant },
};

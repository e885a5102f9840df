import type { DashOperation } from "@offers/contract/dash/endpoints";
import { sourcesOfChanges } from "../../../server/testing/odd-sources.ts";
import { rowOf } from "../../book-rows.ts";
import { atLeast, type Check, equal } from "../../checks.ts";
import { type AnyMethodClient, openHttpClient } from "../../http-client.ts";
import type { Service } from "../../service.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import { changedTables, dumpTables } from "./dump.ts";
import { ownPage, type Person, password, signIn } from "./people.ts";
import { openShop } from "./shops.ts";
import { callOf, dashOperations, makeTeam, type Things } from "./team.ts";

/** Has every page but our own ask for every change of the dashboard, in the browser of somebody who may make it. */
export async function foreignPages({ engine }: Pick<DoorOptions, "engine">): Promise<Check[]> {
  const door = await openDoor({ engine });
  const { service } = door;
  const client = openHttpClient(service.url, 4, { keepAlive: false });
  try {
    const { owner, things } = await makeTeam(service, client, await openShop(service, "a"));
    const operator = await signIn(service, client, { email: "operator@offers.example", operator: true });
    const byOf = (operation: DashOperation): Person => (operation.includes("/operator/") ? operator : owner);
    const changes = dashOperations.filter((operation) => !operation.startsWith("GET"));
    const foreign = sourcesOfChanges(service.url).filter(([, , isOurs]) => !isOurs);
    const forms = await formsOf(service);
    const before = await dumpTables(service);
    const sessions = await countSessions(service);
    const taken: string[] = [];
    for (const operation of changes) {
      const { method, path, body } = callOf(operation, things);
      for (const [site, origin] of foreign) {
        const answer = await byOf(operation).call(method, path, {
          body,
          headers: { "sec-fetch-site": site ?? undefined, origin: origin ?? undefined },
        });
        if (answer.status !== 403) taken.push(`${operation} from ${site} ${origin}: ${answer.status}`);
      }
    }
    for (const { path, fields } of forms) {
      for (const [site, origin] of foreign) {
        const status = await sendForm(client, path, fields, {
          cookie: owner.cookie,
          ...(site !== null && { "sec-fetch-site": site }),
          ...(origin !== null && { origin }),
        });
        if (status !== 403) taken.push(`form ${path} from ${site} ${origin}: ${status}`);
      }
    }
    const changed = changedTables(before, await dumpTables(service));
    const more = (await countSessions(service)) - sessions;
    const refused = await askFromOwnPages(changes, byOf, things);
    for (const { path, fields } of forms) {
      const status = await sendForm(client, path, fields, ownPage(service.url));
      if (status !== 303) refused.push(`form ${path}: ${status}`);
    }
    return [
      atLeast("changes asked for by foreign pages", (changes.length + forms.length) * foreign.length, 350),
      equal("changes that foreign pages were given", taken.slice(0, 3).join("; "), ""),
      equal("tables that all of that changed", changed.join(", "), ""),
      equal("sessions that all of that began or ended", more, 0),
      equal("changes refused to a page of ours", refused.slice(0, 3).join("; "), ""),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}

/** Asked for first: a password that is changed, which is another of the changes, ends the invitations of its owner. */
const ofInvitation: DashOperation = "DELETE /dash/api/publishers/:publisher/team/invitations/:invitation";

/** The counter-check: it was the page alone that was refused. */
const askFromOwnPages = async (
  changes: readonly DashOperation[],
  byOf: (operation: DashOperation) => Person,
  things: Things,
): Promise<string[]> => {
  const refused: string[] = [];
  for (const operation of [ofInvitation, ...changes.filter((one) => one !== ofInvitation)]) {
    // It would fetch a page of the internet.
    if (operation.endsWith("/check-page")) continue;
    const { method, path, body } = callOf(operation, things);
    const answer = await byOf(operation).call(method, path, { body });
    if (answer.status >= 300) refused.push(`${operation}: ${answer.status} ${answer.body.slice(0, 200)}`);
  }
  return refused;
};

/** The pages that are forms, and so need no script of ours. */
const formsOf = async (service: Service): Promise<{ path: string; fields: Record<string, string> }[]> => {
  const { link } = await service.admin<{ link: string }>("user", "create", "--email", "new@forms.example");
  return [
    { path: new URL(link).pathname, fields: { password } },
    { path: "/dash/sign-in", fields: { email: "operator@offers.example", password } },
    { path: "/dash/sign-out", fields: {} },
  ];
};

const sendForm = async (
  client: AnyMethodClient,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
): Promise<number> => {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return (await client.post(path, new URLSearchParams(fields).toString(), { ...headers, ...type })).status;
};

const countSessions = async (service: Service): Promise<number> =>
  (await rowOf<{ sessions: number }>(service, "select count(*) as sessions from session")).sessions;

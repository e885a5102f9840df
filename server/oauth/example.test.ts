import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPartner } from "../store/catalogue/oauth-clients.ts";
import { freePort } from "../testing/free-port.ts";
import { newBrowser, type OauthService, startOauthService } from "../testing/partner.ts";

let service: OauthService;
let partner: ChildProcess;
let here: string;

beforeAll(async () => {
  service = await startOauthService();
  // The example reads the metadata at the address that it then wants to find in it.
  Object.assign(service.context, { baseUrl: service.url });
  const port = await freePort();
  here = `http://127.0.0.1:${port}`;
  const { clientId, clientSecret } = await createPartner(
    service.catalogue,
    { name: "Example", redirectUris: [`${here}/callback`], scopes: ["reports:read"] },
    service.context.clock(),
  );
  const file = fileURLToPath(new URL("../../docs/examples/partner.ts", import.meta.url));
  const env = {
    OFFERS_URL: service.url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret ?? "",
    PORT: String(port),
  };
  partner = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(partner.stdout ?? partner, "data");
  expect(String(line)).toContain(here);
});
afterAll(async () => {
  const ended = once(partner, "exit");
  partner.kill();
  await ended;
  await service.close();
  expect(service.errors).toEqual([]);
});

it("the example of the partners' page refreshes what is refused, and offers to connect again once that is", async () => {
  const browser = newBrowser(service);
  const away = await browser.open(`${here}/connect`);
  const consent = (await browser.open(away.location)).location;
  const form = { user: "1", publisher: "publisher_a", answer: "allow" };
  const answered = await browser.submit(`${service.url}${consent}`, form);
  await browser.open((await browser.open(answered.location)).location);
  await service.catalogue.transact((db) =>
    db.deleteFrom("oauth_row").where("model", "=", "AccessToken").execute(),
  );
  expect((await browser.open(`${here}/`)).text).toContain('{"blocked":');
  await service.empty(["oauth_row"]);
  // Nor is what was refreshed believed for the seconds for which a token is.
  service.moveClock(10_000);
  const ended = await browser.submit(`${here}/refresh`, {});
  expect(ended.text).toContain("Connect again");
  expect((await browser.open(`${here}/`)).text).toContain("Not connected");
});

it("the example of the partners' page connects, reads, refreshes and disconnects", async () => {
  const browser = newBrowser(service);
  const page = async () => (await browser.open(`${here}/`)).text;
  expect(await page()).toContain("Not connected");
  const away = await browser.open(`${here}/connect`);
  const consent = (await browser.open(away.location)).location;
  expect((await browser.open(`${service.url}${consent}`)).text).toContain("Connect Example?");
  const answered = await browser.submit(`${service.url}${consent}`, {
    user: "1",
    publisher: "publisher_a",
    answer: "allow",
  });
  const back = await browser.open(answered.location);
  expect(back.location).toContain(`${here}/callback?`);
  expect((await browser.open(back.location)).location).toBe("/");
  expect(await page()).toContain('{"blocked":');
  const tokens = () =>
    service.stored.table("oauth_row").filter(({ model }) => model === "AccessToken").length;
  expect(tokens()).toBe(1);
  await browser.submit(`${here}/refresh`, {});
  expect(tokens()).toBe(2);
  expect(await page()).toContain('{"blocked":');
  await browser.submit(`${here}/disconnect`, {});
  expect(tokens()).toBe(0);
  expect(await page()).toContain("Not connected");
  // What came back once is good for nothing more.
  expect((await browser.open(back.location)).text).toContain("Nobody was sent away");
});

import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { freePort } from "../server/testing/free-port.ts";
import { startVisits } from "./acknowledged-visits.ts";

test("whoever waits for acknowledgements hears of it when a service gives none", async () => {
  const port = await freePort();
  const server = createServer((_, answer) => answer.writeHead(503).end());
  await once(server.listen(port, "127.0.0.1"), "listening");
  const website = { websiteKey: "wk", publicKey: "pub", origin: "https://shop.example" };
  const visits = startVisits([{ url: `http://127.0.0.1:${port}` }], website, { clients: 2, patience: 200 });
  try {
    await expect(visits.untilMore(1)).rejects.toThrow("nothing was acknowledged for 200 ms");
  } finally {
    await visits.stop();
    server.close();
  }
});

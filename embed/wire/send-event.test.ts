import { afterEach, expect, test, vi } from "vitest";
import { eventSender } from "./send-event.ts";

const send = eventSender("https://offers.example/");

afterEach(() => {
  vi.unstubAllGlobals();
});

test("an event is a kept-alive simple request without credentials, query or headers of ours", () => {
  const fetched = vi.fn(async () => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", fetched);
  send("impression", { offerId: "offer_1" });
  expect(fetched).toHaveBeenCalledExactlyOnceWith("https://offers.example/v1/events/impression", {
    method: "POST",
    body: '{"offerId":"offer_1"}',
    keepalive: true,
    credentials: "omit",
    referrerPolicy: "origin",
  });
});

test.each([
  ["rejects", () => Promise.reject(new TypeError("blocked"))],
  [
    "throws at once",
    () => {
      throw new Error("patched by the page");
    },
  ],
  ["answers 429", async () => new Response(null, { status: 429 })],
])("a fetch that %s is not noticed and not repeated", async (_name, behaviour) => {
  const fetched = vi.fn(behaviour);
  vi.stubGlobal("fetch", fetched);
  await send("click", {});
  expect(fetched).toHaveBeenCalledTimes(1);
});

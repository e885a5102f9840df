import { expect, test } from "vitest";
import { chrome } from "./testing/call.ts";
import { createUserAgents } from "./user-agents.ts";

test("a browser is no robot and has a family; a robot is one, the first time and the second", () => {
  const userAgents = createUserAgents();
  for (let time = 0; time < 2; time += 1) {
    expect(userAgents(chrome)).toEqual({ isBot: false, browser: 1, device: 3 });
    expect(userAgents("curl/8.5.0")).toEqual({ isBot: true, browser: null, device: 0 });
    expect(userAgents("")).toEqual({ isBot: false, browser: null, device: 0 });
  }
});

test("only the beginning of a long one is read", () => {
  const userAgents = createUserAgents();
  expect(userAgents(`${chrome.padEnd(600, ";")}Googlebot`)).toEqual({ isBot: false, browser: 1, device: 3 });
});

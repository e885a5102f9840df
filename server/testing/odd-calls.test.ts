import { endpoints } from "@offers/contract/endpoints";
import { expect, it } from "vitest";
import { seededRandom } from "../core/seeded-random.ts";
import { createOddCalls, kinds } from "./odd-calls.ts";

it("among odd requests are some to every route, as whoever it is for", () => {
  const known = { requestIds: [], tokens: [], offerIds: ["offer_best"], sessionIds: [] };
  const makeCall = createOddCalls(seededRandom(1), known, { keys: ["sk_a"], secret: "its_a" });
  const asked = kinds.flatMap((kind) =>
    Array.from({ length: 1000 }, () => makeCall(kind).text.toString("latin1")),
  );
  const untried = endpoints.filter(({ method, path, group }) => {
    const called = new RegExp(`^${method} ${path.replaceAll(/:\w+/g, "[^/ ]+")}[? ]`);
    const hasKey = group === "server";
    return !asked.some((call) => called.test(call) && (!hasKey || /^authorization:/im.test(call)));
  });
  expect(untried).toEqual([]);
});

import { expect, test } from "vitest";
import type { Offers } from "../overlay/read-offers.ts";
import { en } from "../words/en.ts";
import { declineView } from "./views.ts";

const offers = [{ id: "offer_1" }] as unknown as Offers;

test.each([
  ["waiting", { state: "waiting" }, [en.titleWaiting, "", en.waiting, 0, true, false]],
  ["ready", { state: "ready", offers }, [en.titleDeclined, en.messageDeclined, en.ready, 1, false, false]],
  [
    "ready without offers",
    { state: "ready", offers: [] },
    [en.titleNothing, "", en.nothing, 0, false, false],
  ],
  ["unheard of", { state: "silent" }, [en.titleFailed, "", en.silent, 0, false, false]],
  ["failed", { state: "failed" }, [en.titleFailed, "", en.failed, 0, false, true]],
] as const)("an application that is %s", (_name, state, expected) => {
  const { title, message, status, offers: shown, isFailed } = declineView(en, state);
  expect([title, message, status.text, shown.length, status.isBusy, isFailed]).toEqual(expected);
});

import { expect, test } from "vitest";
import type { Offer, Website } from "./catalogue.ts";
import { createHopDestinations } from "./hop-destination.ts";
import { sampleOffer, sampleWebsite } from "./sample-catalogue.ts";

const values = {
  click_id: "c1",
  request_id: "req_1",
  offer_id: "offer_1",
  publisher: "publisher_1",
  website: "ws_1",
  country: "DE",
  region: "",
  vertical: "games & more",
  surface: "overlay",
  placement: "premium",
};
const landing = "https://brand.example/?v={vertical}&c={click_id}";
const hopDestination = createHopDestinations({ production: true });
const fallbackUrl = "https://shop.example/déjà";

test("an offer that has become one of a suppressed vertical leads no visitor of its request to its page", () => {
  const destinationOf = (vertical: string) =>
    hopDestination({
      offer: sampleOffer({ id: "offer_1", landingUrl: landing, vertical }),
      website: sampleWebsite({}),
      suppression: { vulnerable: true, names: [] },
      values,
    }).kind;
  expect([destinationOf("travel"), destinationOf("casino")]).toEqual(["landing", "page"]);
});

test.each([
  ["an active offer leads to its landing page", {}, {}, "https://brand.example/?v=games%20%26%20more&c=c1"],
  ["whatever the fallback is", {}, { fallbackUrl }, "https://brand.example/?v=games%20%26%20more&c=c1"],
  [
    "a paused one leads to the fallback",
    { status: "paused" },
    { fallbackUrl },
    "https://shop.example/d%C3%A9j%C3%A0",
  ],
  ["or to a small page when there is none", { status: "paused" }, {}, "page"],
  ["a landing URL that may not stand leads nowhere else", { landingUrl: "javascript:alert(1)" }, {}, "page"],
  [
    "nor does one on plain http",
    { landingUrl: "http://brand.example/" },
    { fallbackUrl },
    "https://shop.example/d%C3%A9j%C3%A0",
  ],
] satisfies [string, Partial<Offer>, Partial<Website["settings"]>, string][])(
  "%s",
  (_, offer, settings, expected) => {
    const website = sampleWebsite({});
    const destination = hopDestination({
      offer: sampleOffer({ id: "offer_1", landingUrl: landing, ...offer }),
      website: { ...website, settings: { ...website.settings, ...settings } },
      values,
    });
    expect(destination.kind === "page" ? "page" : destination.url).toBe(expected);
  },
);

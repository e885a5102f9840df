import { expect, it } from "vitest";
import { newDraft } from "../offer-draft.ts";
import { OfferFields } from "./offer-fields.tsx";

it("there is a field for every member of an offer, but for who pays", () => {
  const read = new Set<PropertyKey>();
  const draft = new Proxy(newDraft, {
    get: (of, name) => {
      read.add(name);
      return Reflect.get(of, name);
    },
  });
  OfferFields({ draft, onDraft: () => undefined, wrong: {}, error: undefined });
  expect(Object.keys(newDraft).filter((name) => !read.has(name))).toEqual(["advertiserId"]);
});

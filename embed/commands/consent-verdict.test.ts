import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gppVerdict, tcfVerdict } from "./consent-verdict.ts";

const purposes = [2, 7];

describe("the European framework", () => {
  const settled = (consents: object, legitimateInterests = {}) => ({
    gdprApplies: true,
    eventStatus: "tcloaded",
    purpose: { consents, legitimateInterests },
  });

  test.each([
    ["does not apply", { gdprApplies: false, eventStatus: "cmpuishown" }, "go"],
    ["still shows its question", { gdprApplies: true, eventStatus: "cmpuishown" }, "wait"],
    ["does not yet know whether it applies", { eventStatus: "cmpuishown" }, "wait"],
    ["has both purposes from an earlier visit", settled({ 2: true, 7: true }), "go"],
    ["has one by consent and one by interest", settled({ 2: true }, { 7: true }), "go"],
    [
      "has been told yes just now",
      { ...settled({ 2: true, 7: true }), eventStatus: "useractioncomplete" },
      "go",
    ],
    ["lacks a purpose", settled({ 2: true, 7: false }), "stop"],
    ["has been told no", { ...settled({}), eventStatus: "useractioncomplete" }, "stop"],
    ["speaks of no purpose at all", { gdprApplies: true, eventStatus: "tcloaded" }, "stop"],
    ["says nothing", undefined, "wait"],
  ])("that %s", (_name, data, verdict) => {
    expect(tcfVerdict(data, true, purposes)).toBe(verdict);
  });

  test("is not believed when its call failed", () => {
    expect(tcfVerdict({ gdprApplies: false }, false, purposes)).toBe("wait");
  });

  test("with no purpose asked for is content with any settled choice", () => {
    expect(tcfVerdict({ gdprApplies: true, eventStatus: "useractioncomplete" }, true, [])).toBe("go");
  });
});

describe("the global platform", () => {
  const ready = (applicableSections: unknown, parsedSections: unknown) => ({
    pingData: { signalStatus: "ready", applicableSections, parsedSections },
  });
  const fine = { SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 2 };
  const consents = (...ids: number[]) => Array.from({ length: 11 }, (_, index) => ids.includes(index + 1));

  test.each([
    ["is not ready", { pingData: { signalStatus: "not ready" } }, "wait"],
    ["applies nowhere", ready([-1], {}), "go"],
    ["names no section", ready([], {}), "go"],
    ["has an American section without opt-out", ready([7], { usnat: fine }), "go"],
    ["has an opt-out of sale", ready([7], { usnat: { ...fine, SaleOptOut: 1 } }), "stop"],
    ["has an opt-out in a later part", ready([8], { usca: [fine, { SharingOptOut: 1 }] }), "stop"],
    ["applies and shows no section", ready([7], {}), "stop"],
    ["has European consent", ready([2], { tcfeuv2: [{ PurposeConsents: consents(2, 7) }] }), "go"],
    ["lacks European consent", ready([2], { tcfeuv2: [{ PurposeConsents: consents(2) }] }), "stop"],
  ])("that %s", (_name, event, verdict) => {
    expect(gppVerdict(event, true, purposes)).toBe(verdict);
  });
});

test("whatever a platform says, nothing goes without a success", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      expect(tcfVerdict(data, false, purposes)).toBe("wait");
      expect(gppVerdict(data, false, purposes)).toBe("wait");
      expect(["go", "stop", "wait"]).toContain(gppVerdict(data, true, purposes));
    }),
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { go, gppVerdict, tcfVerdict } from "./consent-verdict.ts";

const purposes = [2, 7];

describe("the European framework", () => {
  const settled = (consents: object, legitimateInterests = {}) => ({
    gdprApplies: true,
    eventStatus: "tcloaded",
    purpose: { consents, legitimateInterests },
  });

  test.each([
    ["does not apply", { gdprApplies: false, eventStatus: "cmpuishown" }, go],
    ["still shows its question", { gdprApplies: true, eventStatus: "cmpuishown" }, "wait"],
    ["does not yet know whether it applies", { eventStatus: "cmpuishown" }, "wait"],
    ["has both purposes from an earlier visit", settled({ 2: true, 7: true }), go],
    ["has one by consent and one by interest", settled({ 2: true }, { 7: true }), go],
    ["has both by interest", settled({}, { 2: true, 7: true }), go],
    [
      "has been told yes just now",
      { ...settled({ 2: true, 7: true }), eventStatus: "useractioncomplete" },
      go,
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

  test.each([1, 3, 4, 5, 6])("needs consent for purpose %i, and no interest will do", (id) => {
    expect(tcfVerdict(settled({}, { [id]: true }), true, [id])).toBe("stop");
    expect(tcfVerdict(settled({ [id]: true }), true, [id])).toBe(go);
  });

  test("with no purpose asked for is content with any settled choice", () => {
    expect(tcfVerdict({ gdprApplies: true, eventStatus: "useractioncomplete" }, true, [])).toBe(go);
  });
});

describe("the global platform", () => {
  const said = (applicableSections: unknown, parsedSections: unknown) =>
    gppVerdict({ pingData: { signalStatus: "ready", applicableSections, parsedSections } }, true, purposes);
  const fine = { Version: 1, SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 2 };
  const agreed = { Version: 2, PurposeConsents: Array(24).fill(true) };

  test.each([
    ["names no section yet", [], {}, "wait"],
    ["cannot tell which section applies", [0], { usnat: fine }, "wait"],
    ["cannot tell all that apply", [7, 0], { usnat: fine }, "wait"],
    ["cannot tell all, and one objects", [7, 0], { usnat: { ...fine, SaleOptOut: 1 } }, "stop"],
    ["has no list of what applies", undefined, { usnat: fine }, "wait"],
    ["applies nowhere", [-1], {}, go],
    ["applies, and shows no section", [7], {}, "stop"],
    ["applies, and shows no European section", [2], {}, "stop"],
    ["shows nothing at all", [7], undefined, "stop"],
    ["applies by a section of the future", [99], { usnat: fine, tcfeuv2: agreed }, "stop"],
    ["applies by its own header", [3], { header: { Version: 1 } }, "stop"],
    ["applies by the framework of before 2020", [1], { tcfeuv1: agreed }, "stop"],
    ["applies by no number", ["usnat"], { usnat: fine }, "stop"],
    ["has a section in parts", [8], { usca: [fine, { Gpc: false }] }, go],
    ["has an opt-out in a later part", [8], { usca: [fine, { SharingOptOut: 1 }] }, "stop"],
    ["has the signal in a later part", [8], { usca: [fine, { SubsectionType: 1, Gpc: true }] }, "stop"],
    ["numbers its American sections", [7], { usnatv1: fine }, go],
    ["numbers them, and one objects", [7], { usnatv1: { ...fine, SaleOptOut: 1 } }, "stop"],
    ["tells an opt-out in figures", [6], { uspv1: { Version: 1, OptOutSale: 1 } }, "stop"],
    ["tells none in figures", [6], { uspv1: { Version: 1, OptOutSale: 2 } }, go],
    ["leaves its section unread", [6], { uspv1: "1YNN" }, "stop"],
    ["has a section without a word on opting out", [7], { usnat: { Version: 1, Gpc: false } }, "stop"],
  ])("that %s", (_name, applicable, sections, verdict) => {
    expect(said(applicable, sections)).toBe(verdict);
  });

  test("is not read before it is ready", () => {
    const pingData = { signalStatus: "not ready", applicableSections: [-1], parsedSections: {} };
    expect(gppVerdict({ pingData }, true, purposes)).toBe("wait");
  });

  test("has to show its section even where no purpose is asked for", () => {
    const pingData = { signalStatus: "ready", applicableSections: [2], parsedSections: {} };
    expect(gppVerdict({ pingData }, true, [])).toBe("stop");
  });
});

test("whatever a platform says, nothing goes without a success", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      expect(tcfVerdict(data, false, purposes)).toBe("wait");
      expect(gppVerdict(data, false, purposes)).toBe("wait");
      expect([go, "stop", "wait"]).toContain(gppVerdict(data, true, purposes));
    }),
  );
});

import { CmpApi, Sections } from "@iabgpp/cmpapi";
import { GVL, TCModel, TCString, type Vector } from "@iabtcf/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { go, gppVerdict, tcfVerdict, type Verdict } from "./consent-verdict.ts";

/** Sections by name, with the fields that differ from what the library begins with. */
type Fields = Record<string, Record<string, unknown>>;

const usual = [2, 7];
/** A list of the 24 purposes, in which these ids are agreed to. */
const ids = (...agreed: number[]) => Array.from({ length: 24 }, (_, at) => agreed.includes(at + 1));

beforeEach(() => {
  vi.stubGlobal("window", { __gpp: () => [] });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** What the IAB's platform tells a listener, after the consent went through its string as it would between two pages. */
const heard = (applicable: number[], fields: Fields): Parameters<typeof gppVerdict> => {
  const first = new CmpApi(31, 640);
  for (const [section, values] of Object.entries(fields))
    for (const [field, value] of Object.entries(values)) first.setFieldValue(section, field, value);
  const platform = new CmpApi(31, 640);
  platform.setGppString(first.getGppString());
  platform.setApplicableSections(applicable);
  platform.setSignalStatus("ready" as never);
  let told: unknown[] = [];
  const page = window as unknown as { __gpp: (...call: unknown[]) => void };
  page.__gpp("addEventListener", (...event: unknown[]) => {
    told = event;
  });
  return [told[0], told[1], usual];
};

/** What a section with that name has, as the library begins with it. */
const sectionOf = (name: string): object => {
  vi.stubGlobal("window", { __gpp: () => [] });
  const platform = new CmpApi(31, 640);
  platform.setFieldValue(name, "SaleOptOut", 2);
  return platform.getSection(name) ?? {};
};

describe("the IAB's global platform", () => {
  test.each<[string, number[], Fields, Verdict]>([
    ["US Privacy with an opt-out", [6], { uspv1: { Notice: "Y", OptOutSale: "Y" } }, "stop"],
    ["US Privacy without one", [6], { uspv1: { Notice: "Y", OptOutSale: "N" } }, go],
    ["US Privacy where it does not apply", [6], { uspv1: { Notice: "-", OptOutSale: "-" } }, go],
    [
      "US Privacy with an opt-out beside a section without",
      [6, 7],
      { uspv1: { OptOutSale: "Y" }, usnat: { SaleOptOut: 2 } },
      "stop",
    ],
    ["Canada with nothing agreed", [5], { tcfcav1: { PurposesExpressConsent: ids() } }, "stop"],
    ["Canada with both purposes agreed", [5], { tcfcav1: { PurposesExpressConsent: ids(2, 7) } }, go],
    ["Canada with one purpose agreed", [5], { tcfcav1: { PurposesExpressConsent: ids(2) } }, "stop"],
    ["Canada with other purposes agreed", [5], { tcfcav1: { PurposesExpressConsent: ids(1, 3, 8) } }, "stop"],
    ["Canada with implied consent", [5], { tcfcav1: { PurposesImpliedConsent: ids(2, 7) } }, go],
    ["Europe with nothing agreed", [2], { tcfeuv2: { PurposeConsents: ids() } }, "stop"],
    ["Europe with both purposes agreed", [2], { tcfeuv2: { PurposeConsents: ids(2, 7) } }, go],
    ["Europe with one purpose agreed", [2], { tcfeuv2: { PurposeConsents: ids(7) } }, "stop"],
    [
      "Europe with one by interest",
      [2],
      { tcfeuv2: { PurposeConsents: ids(2), PurposeLegitimateInterests: ids(7) } },
      go,
    ],
    [
      "America without an objection",
      [7],
      { usnat: { SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 2 } },
      go,
    ],
    ["America where nothing was asked", [7], { usnat: { SaleOptOut: 0 } }, go],
    ["America against sharing", [7], { usnat: { SharingOptOut: 1 } }, "stop"],
    ["America against targeting", [7], { usnat: { TargetedAdvertisingOptOut: 1 } }, "stop"],
    ["America against other uses", [7], { usnat: { PersonalDataConsents: 1 } }, "stop"],
    [
      "America with a child for whom nobody agreed",
      [7],
      { usnat: { KnownChildSensitiveDataConsents: [0, 1, 0] } },
      "stop",
    ],
    ["no section in force", [], { usnat: { SaleOptOut: 2 } }, "wait"],
    ["a section in force that is not known", [0], { usnat: { SaleOptOut: 2 } }, "wait"],
    ["nothing in force for this visitor", [-1], { usnat: { SaleOptOut: 1 } }, go],
    ["a section in force that its string lacks", [8], { usnat: { SaleOptOut: 2 } }, "stop"],
    ["a section that nobody knows", [40], { usnat: { SaleOptOut: 2 } }, "stop"],
  ])("says by %s: %j", (_name, applicable, fields, verdict) => {
    expect(gppVerdict(...heard(applicable, fields))).toBe(verdict);
  });

  const american = [...Sections.SECTION_ID_NAME_MAP].filter(([id]) => id > 6);

  test("has more than twenty American sections", () => {
    expect(american.length).toBeGreaterThan(20);
  });

  test.each(american)("in section %i, %s, tells an opt-out from none", (id, name) => {
    expect(gppVerdict(...heard([id], { [name]: { SaleOptOut: 2 } }))).toBe(go);
    expect(gppVerdict(...heard([id], { [name]: { SaleOptOut: 1 } }))).toBe("stop");
  });

  // The oldest sections call it PersonalDataConsents, and the newer ones in the singular.
  const ofOtherUses = american.flatMap(([id, name]) => {
    const fields = Object.keys(sectionOf(name)).filter((field) =>
      /^(Personal|Additional).*Consents?$/.test(field),
    );
    return fields.map((field) => ({ id, name, field }));
  });

  test("has the refusal of other uses in most American sections", () => {
    expect(ofOtherUses.length).toBeGreaterThan(14);
  });

  test.each(ofOtherUses)(
    "in section $id, $name, tells by $field a refusal of other uses",
    ({ id, name, field }) => {
      expect(gppVerdict(...heard([id], { [name]: { [field]: 0 } }))).toBe(go);
      expect(gppVerdict(...heard([id], { [name]: { [field]: 2 } }))).toBe(go);
      expect(gppVerdict(...heard([id], { [name]: { [field]: 1 } }))).toBe("stop");
    },
  );

  const withSignal = american.filter(([, name]) => "Gpc" in sectionOf(name));

  test.each(withSignal)("in section %i, %s, hears the browser's own signal", (id, name) => {
    expect(gppVerdict(...heard([id], { [name]: { SaleOptOut: 2, Gpc: false } }))).toBe(go);
    expect(gppVerdict(...heard([id], { [name]: { SaleOptOut: 2, Gpc: true } }))).toBe("stop");
  });

  /** Each of these says no where it applies, as the cases above show. */
  const objecting: Fields = {
    uspv1: { Notice: "Y", OptOutSale: "Y" },
    tcfcav1: { PurposesExpressConsent: ids() },
    tcfeuv2: { PurposeConsents: ids() },
    usca: { SaleOptOut: 1, Gpc: true },
  };

  test.each(Object.entries(objecting))(
    "loses no visit by an unused section %s that objects",
    (name, fields) => {
      expect(gppVerdict(...heard([7], { usnat: { SaleOptOut: 2 }, [name]: fields }))).toBe(go);
      expect(gppVerdict(...heard([-1], { [name]: fields }))).toBe(go);
    },
  );

  test.each([1, 3, 4, 5, 6])("needs consent for purpose %i, and nothing weaker will do", (id) => {
    const verdict = (applicable: number, name: string, field: string) => {
      const [event, success] = heard([applicable], { [name]: { [field]: ids(id) } });
      return gppVerdict(event, success, [id]);
    };
    expect(verdict(2, "tcfeuv2", "PurposeConsents")).toBe(go);
    expect(verdict(2, "tcfeuv2", "PurposeLegitimateInterests")).toBe("stop");
    expect(verdict(5, "tcfcav1", "PurposesExpressConsent")).toBe(go);
    expect(verdict(5, "tcfcav1", "PurposesImpliedConsent")).toBe("stop");
  });
});

describe("the IAB's European string", () => {
  /** The smallest list of vendors that the library encodes with; policy 2 let interests stand for purposes 3 to 6. */
  const vendors = () =>
    new GVL({
      gvlSpecificationVersion: 2,
      vendorListVersion: 48,
      tcfPolicyVersion: 2,
      lastUpdated: "2020-07-02T16:00:20Z",
      purposes: {},
      specialPurposes: {},
      features: {},
      specialFeatures: {},
      stacks: {},
      vendors: {},
    } as never);

  /** What a platform tells of a string: the lists of purposes as the listener gets them. */
  const told = (consents: number[], interests: number[]) => {
    const model = new TCModel(vendors());
    Object.assign(model, { cmpId: 31, cmpVersion: 640, isServiceSpecific: true });
    model.purposeConsents.set(consents);
    model.purposeLegitimateInterests.set(interests);
    const decoded = TCString.decode(TCString.encode(model));
    const list = (vector: Vector) =>
      Object.fromEntries(Array.from({ length: 24 }, (_, at) => [at + 1, vector.has(at + 1)]));
    return {
      gdprApplies: true,
      eventStatus: "useractioncomplete",
      purpose: {
        consents: list(decoded.purposeConsents),
        legitimateInterests: list(decoded.purposeLegitimateInterests),
      },
    };
  };

  test.each<[string, number[], number[], number[], Verdict]>([
    ["both purposes agreed", [2, 7], [], usual, go],
    ["nothing agreed", [], [], usual, "stop"],
    ["one purpose agreed", [2], [], usual, "stop"],
    ["one by consent and one by interest", [2], [7], usual, go],
    ["purposes 3 to 6 by interest", [2, 7], [3, 4, 5, 6], [2, 3, 4, 5, 6, 7], "stop"],
    ["purposes 3 to 6 by consent", [2, 3, 4, 5, 6, 7], [], [2, 3, 4, 5, 6, 7], go],
  ])("says by %s", (_name, consents, interests, asked, verdict) => {
    const data = told(consents, interests);
    expect(tcfVerdict(data, true, asked)).toBe(verdict);
  });

  test.each([3, 4, 5, 6])("carries an interest in purpose %i, which does not pass", (id) => {
    const data = told([], [id]);
    expect(data.purpose.legitimateInterests[id]).toBe(true);
    expect(tcfVerdict(data, true, [id])).toBe("stop");
  });
});

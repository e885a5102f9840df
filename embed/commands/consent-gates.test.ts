import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listenToConsent } from "./await-consent.ts";
import { consentGates } from "./consent-gates.ts";
import { go } from "./consent-verdict.ts";

const gatesOf = (onStop = () => {}) => consentGates(onStop, () => {});
const settled = async (promise: Promise<unknown>) => {
  const open = Symbol("open");
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
};
const turnOfEvents = async () => {
  for (let turns = 0; turns < 5; turns++) await Promise.resolve();
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a visit", () => {
  test.each([undefined, "", "none"])("with consent %j waits for nothing", async (consent) => {
    const passed = gatesOf().consent(() => ({ consent }));
    await turnOfEvents();
    expect(await settled(passed)).toBe(true);
  });

  test.each(["manual", "a kind of tomorrow"])("with %j waits for the page's word", async (consent) => {
    const gates = gatesOf();
    const passed = gates.consent(() => ({ consent }));
    await turnOfEvents();
    expect(await settled(passed)).toBe(false);
    gates.say(true);
    await turnOfEvents();
    expect(await settled(passed)).toBe(true);
  });

  test("goes at once when the word was given before it came", async () => {
    const gates = gatesOf();
    gates.say(true);
    await expect(gates.consent(() => ({ consent: "manual" }))).resolves.toBeUndefined();
  });

  test("of a view of the page that is over waits no longer, and is woken by no yes", async () => {
    const gates = gatesOf();
    const [former, present] = [vi.fn(), vi.fn()];
    void gates.consent(() => ({ consent: "manual" })).then(former);
    await turnOfEvents();
    gates.forget();
    void gates.consent(() => ({ consent: "manual" })).then(present);
    await turnOfEvents();
    gates.say(true);
    await turnOfEvents();
    expect(present).toHaveBeenCalledTimes(1);
    expect(former).not.toHaveBeenCalled();
  });

  test("waits again after consent was taken back, and what is shown is to go", async () => {
    const stopped = vi.fn();
    const gates = gatesOf(stopped);
    gates.say(true);
    gates.say(false);
    expect(stopped).toHaveBeenCalledTimes(1);
    const areMeant = stopped.mock.calls[0]?.[0];
    expect([{ consent: "manual" }, { consent: "tcf" }, {}].map(areMeant), "all of the page").toEqual([
      true,
      true,
      true,
    ]);
    const passed = gates.consent(() => ({ consent: "manual" }));
    await turnOfEvents();
    expect(await settled(passed)).toBe(false);
  });
});

describe("a refusal", () => {
  const manual = { consent: "manual" };

  test("is remembered until there is a yes, and again when that is taken back", () => {
    const { say, refusal } = gatesOf();
    const seen = [refusal(manual)];
    for (const isGiven of [false, true, false]) {
      say(isGiven);
      seen.push(refusal(manual));
    }
    expect(seen).toEqual([undefined, "stop", go, "stop"]);
  });

  test("is remembered of those who wait for the same, and not of others", async () => {
    const platform = vi.fn();
    vi.stubGlobal("window", { __tcfapi: platform });
    const { consent, refusal } = gatesOf();
    const tag = { consent: "tcf" };
    const passed = consent(() => tag);
    const say = (is: boolean) =>
      platform.mock.calls[0]?.at(-1)(
        { gdprApplies: true, eventStatus: "tcloaded", purpose: { consents: { 2: is, 7: is } } },
        true,
      );
    say(false);
    const others = [{ ...tag, consentPurposes: "1" }, { ...tag, consent: "gpp" }, manual, {}];
    expect([{ ...tag, lang: "de" }, ...others].map(refusal)).toEqual([
      "stop",
      undefined,
      undefined,
      undefined,
      go,
    ]);
    await turnOfEvents();
    expect(await settled(passed), "an overlay goes on waiting").toBe(false);
    say(true);
    await turnOfEvents();
    expect([await settled(passed), refusal(tag)]).toEqual([true, go]);
  });
});

describe("two tags of one page", () => {
  const agreedTo = (...agreed: number[]) => ({
    gdprApplies: true,
    eventStatus: "useractioncomplete",
    purpose: { consents: Object.fromEntries(agreed.map((id) => [id, true])) },
  });

  test("are judged each by its own purposes, and a refusal concerns the one that is refused", async () => {
    const platform = vi.fn();
    vi.stubGlobal("window", { __tcfapi: platform });
    const stopped = vi.fn();
    const gates = gatesOf(stopped);
    const modest = { consent: "tcf" };
    const strict = { consent: "tcf", consentPurposes: "1,2,7" };
    const passed = [gates.consent(() => modest), gates.consent(() => strict)];
    for (const call of platform.mock.calls) call.at(-1)(agreedTo(2, 7), true);
    await turnOfEvents();
    expect(await Promise.all(passed.map(settled))).toEqual([true, false]);
    expect(stopped).toHaveBeenCalledTimes(1);
    const areMeant = stopped.mock.calls[0]?.[0];
    expect([modest, strict, { consent: "manual" }, {}].map(areMeant)).toEqual([false, true, false, false]);
  });

  test("wait each as long as it says", async () => {
    const page: Record<string, unknown> = {};
    vi.stubGlobal("window", page);
    const gates = gatesOf();
    const passed = ["100", "60000"].map((consentTimeout) =>
      gates.consent(() => ({ consent: "tcf", consentTimeout })),
    );
    vi.advanceTimersByTime(5000);
    page.__tcfapi = (...call: unknown[]) =>
      (call.at(-1) as (data: unknown, is: true) => void)(agreedTo(2, 7), true);
    vi.advanceTimersByTime(100);
    await turnOfEvents();
    expect(await Promise.all(passed.map(settled))).toEqual([false, true]);
  });
});

describe("in the next view of a page a platform", () => {
  const tag = { consent: "tcf", consentTimeout: "500" };
  const agrees = (...call: unknown[]) =>
    (call.at(-1) as (data: unknown, is: true) => void)({ gdprApplies: false }, true);

  test("that was given up is listened to anew", async () => {
    const page: Record<string, unknown> = {};
    vi.stubGlobal("window", page);
    const gates = gatesOf();
    void gates.consent(() => tag);
    await turnOfEvents();
    vi.advanceTimersByTime(600);
    gates.forget();
    page.__tcfapi = agrees;
    const passed = gates.consent(() => tag);
    vi.advanceTimersByTime(100);
    await turnOfEvents();
    expect(await settled(passed)).toBe(true);
  });

  test("that has answered is not asked again", async () => {
    const platform = vi.fn(agrees);
    vi.stubGlobal("window", { __tcfapi: platform });
    const gates = gatesOf();
    for (let view = 0; view < 2; view += 1) {
      await gates.consent(() => tag);
      gates.forget();
    }
    expect(platform).toHaveBeenCalledTimes(1);
  });
});

describe("a platform", () => {
  const listener = () => {
    const platform = vi.fn();
    const said = vi.fn();
    const tell = (data: unknown, success = true) => platform.mock.calls[0]?.at(-1)(data, success);
    return { platform, said, tell };
  };

  test("of the European framework is asked by its version", () => {
    const { platform, said, tell } = listener();
    listenToConsent({ consent: "tcf" }, said, { __tcfapi: platform })();
    expect(platform.mock.calls[0]?.slice(0, 2)).toEqual(["addEventListener", 2]);
    tell({ gdprApplies: false });
    expect(said.mock.calls).toEqual([[go]]);
  });

  test("that comes later is found", () => {
    const { platform, said } = listener();
    const page: Record<string, unknown> = {};
    listenToConsent({ consent: "gpp" }, said, page)();
    vi.advanceTimersByTime(3000);
    page.__gpp = platform;
    vi.advanceTimersByTime(100);
    expect(platform).toHaveBeenCalledTimes(1);
    expect(platform.mock.calls[0]?.[0]).toBe("addEventListener");
  });

  test("is looked for seldom while nobody waits for it", () => {
    const { platform, said } = listener();
    const looks = vi.fn();
    const page = Object.defineProperty({ there: false }, "__tcfapi", {
      get() {
        looks();
        return this.there ? platform : undefined;
      },
    });
    const begin = listenToConsent({ consent: "tcf" }, said, page);
    vi.advanceTimersByTime(60_000);
    expect(looks.mock.calls.length).toBeLessThan(65);
    begin();
    page.there = true;
    vi.advanceTimersByTime(100);
    expect(platform).toHaveBeenCalledTimes(1);
    expect(said).not.toHaveBeenCalled();
  });

  test("that stays away is not waited for beyond the time-out", () => {
    const { said } = listener();
    listenToConsent({ consent: "tcf", consentTimeout: "500" }, said, {})();
    vi.advanceTimersByTime(400);
    expect(said).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(vi.getTimerCount()).toBe(0);
    expect(said.mock.calls).toEqual([["silent"]]);
  });

  test("that answers only after the time-out changes nothing any more", () => {
    const { platform, said, tell } = listener();
    listenToConsent({ consent: "tcf", consentTimeout: "500" }, said, { __tcfapi: platform })();
    vi.advanceTimersByTime(501);
    tell({ gdprApplies: false });
    expect(said.mock.calls).toEqual([["silent"]]);
  });

  test("is not the stub that stands in for it, which answers at once", () => {
    const { platform, said, tell } = listener();
    platform.mockImplementationOnce(() =>
      tell({ eventName: "listenerRegistered", pingData: { cmpStatus: "stub", applicableSections: [0] } }),
    );
    listenToConsent({ consent: "gpp", consentTimeout: "500" }, said, { __gpp: platform })();
    vi.advanceTimersByTime(600);
    expect(said.mock.calls).toEqual([["silent"]]);
  });

  test.each(["tcf", "gpp"])("of %s that has failed is given up once its time is over", (consent) => {
    const { platform, said, tell } = listener();
    const page = { __tcfapi: platform, __gpp: platform };
    listenToConsent({ consent, consentTimeout: "500" }, said, page)();
    tell(null, false);
    vi.advanceTimersByTime(400);
    expect(said).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(said.mock.calls).toEqual([["silent"]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that has failed once and answers in time is heard, and a later failure changes nothing", () => {
    const { platform, said, tell } = listener();
    listenToConsent({ consent: "tcf", consentTimeout: "500" }, said, { __tcfapi: platform })();
    tell(null, false);
    tell({ gdprApplies: false });
    tell(null, false);
    vi.advanceTimersByTime(600);
    expect(said.mock.calls).toEqual([[go]]);
  });

  test("may take as long as its visitor to answer, and the visitor may change their mind", () => {
    const { platform, said, tell } = listener();
    listenToConsent({ consent: "tcf", consentTimeout: "500", consentPurposes: "2" }, said, {
      __tcfapi: platform,
    })();
    tell({ gdprApplies: true, eventStatus: "cmpuishown" });
    vi.advanceTimersByTime(240_000);
    const choice = (is: boolean) => ({
      gdprApplies: true,
      eventStatus: "useractioncomplete",
      purpose: { consents: { 2: is } },
    });
    tell(choice(true));
    tell(choice(false));
    expect(said.mock.calls).toEqual([[go], ["stop"]]);
  });
});

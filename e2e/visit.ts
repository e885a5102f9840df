import { expect, type Page } from "@playwright/test";
import { makePatient } from "./patient-page.ts";
import { barrierPath, type Wire, type WireRequest } from "./wire.ts";

/** The host site whose pages are visited, and the wire to the service that records their requests. */
export type VisitedWorld = { wire: Wire; host: { origin: string } };

/** One page view, and everything that it made the browser ask of the service. */
export type Visit = {
  page: Page;
  /** The service's requests of this visit so far, in the order of arrival. */
  requests: () => WireRequest[];
  /** The one request of this visit on that path; fails when there is none or another number of them. */
  only: (path: string) => WireRequest;
  /** Waits until the visit has made at least these requests. For the middle of a visit. */
  untilMade: (expected: Expected) => Promise<void>;
  /** Waits until whatever the page has sent so far has arrived. */
  untilArrived: () => Promise<void>;
  /**
   * Ends the visit: exactly these requests were made, in this order, and no other; no preflight, no event
   * with a query string, no script error, and nothing in the console but what `complaints` names.
   */
  expectMade: (expected: Expected, complaints?: readonly RegExp[]) => Promise<void>;
};

/** Lines such as `GET /v1/decision 200`. Those of an inner list may come in any order among themselves. */
export type Expected = readonly (string | readonly string[])[];

/**
 * Opens a page of the host site, and records requests and errors from then on. Where the script of its tag is held back, so
 * is the page's `load`, and the opening ends sooner.
 */
export async function openVisit(
  page: Page,
  world: VisitedWorld,
  path: string,
  waitUntil: "load" | "domcontentloaded" = "load",
): Promise<Visit> {
  const first = world.wire.requests.length;
  const consoleErrors: string[] = [];
  const pageErrors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => pageErrors.push(error.message));
  await makePatient(page);
  await page.goto(world.host.origin + path, { waitUntil });

  const requests = (): WireRequest[] => world.wire.requests.slice(first);
  const only = (wanted: string): WireRequest => {
    const found = requests().filter((request) => request.path === wanted);
    expect(found.map(toLine), `requests for ${wanted}`).toHaveLength(1);
    return found[0] as WireRequest;
  };
  const untilMade = async (expected: Expected): Promise<void> => {
    const count = expected.flat().length;
    const answered = () => requests().filter((request) => request.status !== null).length;
    await expect
      .poll(answered, { message: `waiting for ${expected.flat().join(", ")}` })
      .toBeGreaterThanOrEqual(count);
  };
  const untilArrived = () => passBarrier(page, world);
  const expectMade = async (expected: Expected, complaints: readonly RegExp[] = []): Promise<void> => {
    await untilMade(expected).catch(() => undefined);
    await untilArrived();
    const made = requests();
    expect(inOrderOf(expected, made.map(toLine)), "requests to the service").toEqual(expected.flat());
    expect(made.filter(({ path, search }) => path.startsWith("/v1/events/") && search !== "")).toEqual([]);
    expect(pageErrors, "script errors").toEqual([]);
    const unexplained = consoleErrors.filter((text) => !complaints.some((known) => known.test(text)));
    expect(unexplained, "console errors").toEqual([]);
  };
  return { page, requests, only, untilMade, untilArrived, expectMade };
}

/** The line of one request. The names of chunks and the ids of sessions are left out, since they differ every time. */
const toLine = ({ method, path, status }: WireRequest): string =>
  `${method} ${path.replace(/^\/c\/[\w-]+\.js$/, "/c/*.js").replace(/\/dcl_[\w-]+$/, "/*")} ${status}`;

/** Puts the lines of each inner list into the order of the expectation, when they are the same lines. */
const inOrderOf = (expected: Expected, lines: readonly string[]): string[] => {
  const ordered: string[] = [];
  let from = 0;
  for (const entry of expected) {
    const wanted = typeof entry === "string" ? [entry] : entry;
    const stretch = lines.slice(from, from + wanted.length);
    const sameLines = stretch.toSorted().join("\n") === wanted.toSorted().join("\n");
    ordered.push(...(sameLines ? wanted : stretch));
    from += wanted.length;
  }
  return [...ordered, ...lines.slice(from)];
};

/** Sends one more request from the page: once it has arrived, everything that the page had sent before has, too. */
const passBarrier = async (page: Page, world: VisitedWorld): Promise<void> => {
  if (page.isClosed()) return;
  await page.evaluate(
    (url) => fetch(url, { mode: "no-cors" }).catch(() => null),
    world.wire.url + barrierPath,
  );
};

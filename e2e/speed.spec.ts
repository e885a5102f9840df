import { type Browser, expect, type Page, test } from "@playwright/test";
import { everybodyBlocked, type MadeCatalogue, makeCatalogue } from "../bench/catalogue.ts";
import { type Service, startService } from "../bench/service.ts";
import { goFromLinkToGreen } from "./first-tag.ts";
import { type HostSite, openHostSite, scriptTag } from "./host-site.ts";

/**
 * Milliseconds from the script tag to the first frame with offers in it, a median of so many cold visits. What stands in the
 * page when a frame begins is painted by that frame, and a timer set then fires behind it.
 */
const visits = 20;
const bars = [
  { slowdown: 1, mostMs: 120 },
  { slowdown: 4, mostMs: 350 },
] as const;

/** How much a section with no height of its own may move a page, at two sizes of the window: what was measured, and a little. */
const shifts = [
  { width: 320, height: 640, most: 0.6 },
  { width: 1280, height: 800, most: 0.2 },
] as const;

// A picture of each of twenty visits says nothing of a median.
test.use({ screenshot: "off" });

// No proxy stands in front of the service here, as it does elsewhere: its time would be counted.
let service: Service;
let host: HostSite;
test.beforeAll(async () => {
  [service, host] = await Promise.all([
    startService({ environment: { RATE_LIMIT_FACTOR: "100" } }),
    openHostSite(),
  ]);
  const { websites } = await makeCatalogue(service, {
    websites: [
      {
        name: "closed",
        origins: [host.origin],
        geo: everybodyBlocked,
        settings: ["--trigger", "immediate"],
      },
    ],
    offers: ["Anchor Bank", "Buoy Mobile", "Compass Travel"].map((brand) => ({
      brand,
      vertical: "banking",
      landingUrl: `${host.origin}/landing?click_id={click_id}`,
    })),
  });
  const [website] = websites as [MadeCatalogue["websites"][number]];
  host.pages.set("/timed", {
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Harbour news</title>
<main><h1>The ferry is late again</h1><p>Everybody waits on the quay.</p></main>
<script>
const look = () =>
  document.querySelector("[data-visit-panel]")?.shadowRoot?.querySelector("article")
    ? setTimeout(() => console.log(performance.now() - tagAt))
    : requestAnimationFrame(look);
look();
const tagAt = performance.now();
</script>
${scriptTag(service.url, website)}
</html>`,
  });
  host.pages.set("/unreserved", {
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Harbour news</title>
<main style="max-width:700px"><h1>The ferry is late again</h1><div id="offers"></div>
${"<p>Everybody waits on the quay, and nobody knows for how long.</p>".repeat(40)}</main>
<script>
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
</script>
${scriptTag(service.url, {
  ...website,
  attributes: { "data-mode": "section", "data-container": "#offers" },
})}
</html>`,
  });
});
test.afterAll(() => Promise.all([service?.stop(), host?.close()]));

for (const { slowdown, mostMs } of bars) {
  test(`at a slowdown of ${slowdown} offers are drawn within ${mostMs} ms of the tag`, async ({
    browser,
  }) => {
    const times: number[] = [];
    for (let visit = 0; visit < visits; visit += 1) times.push(await timeOf(browser, slowdown));
    times.sort((one, other) => one - other);
    const medianMs = times[visits / 2] ?? Number.POSITIVE_INFINITY;
    console.log(
      `slowdown ${slowdown}: median ${medianMs.toFixed(0)} ms, from ${times[0]?.toFixed(0)} to ${times.at(-1)?.toFixed(0)}`,
    );
    expect(medianMs).toBeLessThanOrEqual(mostMs);
  });
}

test("from the link of an invitation to a green light it takes twenty seconds, three of them after the page", async ({
  browser,
}) => {
  const [context, reader] = [await browser.newContext(), await browser.newPage()];
  const { greenMs, wholeMs } = await goFromLinkToGreen({ context, reader }, { service, host });
  console.log(`from the link to a green light: ${wholeMs} ms, from the page: ${greenMs} ms`);
  expect(greenMs).toBeLessThan(3000);
  expect(wholeMs).toBeLessThan(20_000);
  await context.close();
  await reader.close();
});

for (const { most, ...viewport } of shifts) {
  test(`a section without a height of its own shifts a page of ${viewport.width} px by ${most} at the most`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto(`${host.origin}/unreserved`);
    await expect(page.getByRole("article")).toHaveCount(3);
    const shift = await settledShift(page);
    console.log(`without a reserved height, ${viewport.width} px wide: shift ${shift.toFixed(2)}`);
    expect(shift).toBeGreaterThan(0);
    expect(shift).toBeLessThanOrEqual(most);
  });
}

/** A browser context of its own has an empty cache, and nothing fades in for who asked for less motion. */
const timeOf = async (browser: Browser, slowdown: number): Promise<number> => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    // A window that has just opened is still being made by the browser, which no visitor waits for.
    await page.goto("about:blank");
    await page.waitForTimeout(1000);
    // The page says it by itself: to the browser a question would be its visitor's doing, after which the overlay waits.
    const drawn = page.waitForEvent("console");
    await page.goto(`${host.origin}/timed`);
    return Number((await drawn).text());
  } finally {
    await context.close();
  }
};

/** The shifts of all frames until two have been painted after the offers. */
const settledShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => setTimeout(() => resolve(Reflect.get(window, "shift") as number), 100)),
        ),
      ),
  );

import { defineConfig, devices } from "@playwright/test";
import { findBrowser } from "./find-browser.ts";
import { prepareEngines } from "./manners/find-engine.ts";

// Workers read this file again: they are to use what the first reading found, or installed.
process.env.CHROMIUM_PATH = findBrowserOrExit();
prepareEngines();

/**
 * What Playwright turns off in Chromium, and the drop-down lists of its address bar: every window makes two pages of
 * them, which take more processor time than most tests. Of two such lists Chromium heeds the last alone.
 */
const turnedOff = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
  "msEdgeUpdateLaunchServicesPreferredVersion",
  "msForceBrowserSignIn",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxPopup",
];

const figures = "speed.spec.ts";
const blockers = "filter-lists.spec.ts";
const otherEngines = "**/manners/{firefox,webkit}.spec.ts";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../test-results",
  // Each file has a service of its own, so files may run beside each other; the tests of one file share it.
  fullyParallel: false,
  // Two of them leave a quarter of two cores idle.
  workers: 3,
  // A flaky test is a defect: nothing is tried twice.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // Three times what the longest take at a bad hour: it costs time only where something is red.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  // Each run of the tests has Chromium whole and a few pages in the other engines; all of theirs take longer.
  projects: [
    { name: "chromium", testIgnore: [otherEngines, figures, blockers] },
    // Figures want a machine with nothing else to do: `npm run speed`.
    { name: "speed", testMatch: figures },
    { name: "smoke", testMatch: otherEngines, grep: /@smoke/ },
    // The lists have to be fetched the first time.
    { name: "blockers", testMatch: blockers },
    { name: "engines", testMatch: otherEngines, grepInvert: /@smoke/ },
  ],
  use: {
    // An ordinary browser's user agent, since the headless one counts as a robot.
    ...devices["Desktop Chrome"],
    locale: "en-US",
    // A trace of every test takes as long as the test; `--trace retain-on-failure` asks for it.
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [`--disable-features=${turnedOff.join(",")}`],
      // Chromium refuses to run as root inside its own sandbox.
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});

/** Tells a missing browser in words instead of a stack trace. */
function findBrowserOrExit(): string {
  try {
    return findBrowser();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

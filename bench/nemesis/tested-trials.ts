import {
  erasesNoSessions,
  keepsSalts,
  leavesUsedCodesAlone,
  searchesByCase,
  sendsAnywhereOfTheHost,
  takesNamesOfThePage,
  waitsLongForADecision,
  wantsNoProof,
  writesNamesAsMarkup,
} from "./tested-mutants.ts";
import { testsOfCheckout } from "./tests-of-checkout.ts";
import type { Trial } from "./trial.ts";

/** A promise that files of `npm test` try: the trial runs them, so that its mutants show that they see it broken. */
type Tested = Pick<Trial, "id" | "promise" | "engines" | "figure" | "mutants"> & { files: readonly string[] };

const tested: readonly Tested[] = [
  {
    id: "P23.oauth",
    promise: "A partner gets a code by PKCE, once, and at the address that it has registered alone.",
    engines: ["sqlite", "postgres"],
    figure: "every case of the flow's tests",
    files: ["server/oauth/oauth-flow.test.ts"],
    mutants: [
      { ...wantsNoProof, breaks: "a partner with a secret with no code_challenge" },
      { ...sendsAnywhereOfTheHost, breaks: "a partner with a secret is not sent back to another address" },
      { ...leavesUsedCodesAlone, breaks: "a partner with a secret uses its code up with a wrong verifier" },
    ],
  },
  {
    id: "P24.names",
    promise: "What somebody has named is text on the pages that the service draws.",
    engines: ["sqlite"],
    figure: "every case of the consent page's tests; what a browser makes of names is e2e's",
    files: ["server/oauth/consent.test.ts"],
    mutants: [{ ...writesNamesAsMarkup, breaks: "the consent page names the partner" }],
  },
  {
    id: "P26.forgotten",
    promise: "Salts are gone after 48 hours, and of what is erased no row is left.",
    engines: ["sqlite", "postgres"],
    figure: "every case of the tests of erasure, and of SQLite's salts",
    files: ["server/admin/erase.test.ts", "server/store/sqlite/housekeeping.test.ts"],
    mutants: [
      { ...keepsSalts, engines: ["sqlite"], breaks: "a salt is destroyed 48 hours after its day began" },
      { ...erasesNoSessions, breaks: "a request loses its decline session" },
    ],
  },
  {
    id: "P27.host-page",
    promise: "The tag gives up in time, and takes nothing of the page that is the page's.",
    engines: ["sqlite"],
    figure: "every case of the loader's tests; what a browser makes of it is e2e's",
    files: ["embed/loader/ask-decision.test.ts", "embed/loader/command-queue.test.ts"],
    mutants: [
      { ...waitsLongForADecision, breaks: "asking for it gives up after two and a half seconds" },
      { ...takesNamesOfThePage, breaks: "a name that means something else on the page is left alone" },
    ],
  },
  {
    id: "P29.same-answers",
    promise: "Both engines answer alike.",
    engines: ["postgres"],
    figure: "0 of the catalogue's and the books' readers differ",
    files: ["server/store/postgres/same-answers.test.ts"],
    mutants: [{ ...searchesByCase, breaks: "searchOffers finds the same on both engines" }],
  },
];

/** Before a release and with mutants; `npm test` and `npm run long` run these files by themselves. */
export const testedTrials: readonly Trial[] = tested.map(({ files, ...trial }) => ({
  ...trial,
  profiles: ["full"],
  run: ({ engine }) =>
    testsOfCheckout(
      // That of a file's salts has no other engine.
      files.filter((file) => engine === "sqlite" || !file.startsWith("server/store/sqlite/")),
      engine,
    ),
}));

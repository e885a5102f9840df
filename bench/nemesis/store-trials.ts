import { budgetRace } from "../budget-race.ts";
import type { Trial } from "./trial.ts";

/** What is kept, counted and billed, whatever ends meanwhile. */
export const storeTrials: readonly Trial[] = [
  {
    id: "P4.race",
    promise: "A budget is billed to its last click and not one further, however many click at once.",
    engines: ["sqlite", "postgres"],
    profiles: ["quick", "full"],
    figure: "2,000 at once, two nodes, cap 100: exactly 100",
    run: ({ engine, profile }) =>
      budgetRace({
        engine,
        nodes: 2,
        ...(profile === "full"
          ? { visitors: 2000, cap: 100, copies: 500 }
          : { visitors: 400, cap: 50, copies: 100 }),
      }),
    mutants: [
      {
        name: "remembers what was spent though another process has spent since",
        engines: ["sqlite"],
        edits: [
          {
            file: "server/store/sqlite/write-batch.ts",
            old: "if (version !== seenVersion) forgetRows();",
            new: "if (seenVersion < 0) forgetRows();",
          },
        ],
        breaks: "clicks billed by an offer's click cap, processes: 2",
      },
    ],
  },
];

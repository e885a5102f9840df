import type { LoadPlan, LoadResult, World } from "./plan.ts";
import { runLoad } from "./run-load.ts";
import { createVisits } from "./visits.ts";

/** What its parent tells it: whom to play, then plan after plan. */
export type ToGenerator = { world: World; seed: number } | { plan: LoadPlan };
export type FromGenerator = { results: LoadResult[] } | { failure: string };

/** A process of its own, so that what it costs is on nobody's account, and it lives as long as its parent. */
let visits = createVisits({ websites: [], places: [], authorization: "" }, 1);

process.on("disconnect", () => process.exit(0));
process.on("message", (message: ToGenerator) => {
  if ("world" in message) {
    visits = createVisits(message.world, message.seed);
    return;
  }
  const tell = (answer: FromGenerator): void => {
    process.send?.(answer);
  };
  runLoad(message.plan, visits).then(
    (results) => tell({ results }),
    (error: Error) => tell({ failure: error.stack ?? error.message }),
  );
});

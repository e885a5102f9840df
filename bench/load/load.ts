import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inheritedEnvironment } from "../program.ts";
import type { FromGenerator, ToGenerator } from "./generator.ts";
import type { LoadPlan, LoadResult, World } from "./plan.ts";

/** One generator in a process of its own; it carries its visitors on from run to run. */
export type Load = {
  /** One result, or one for each phase of an open loop. */
  run: (plan: LoadPlan) => Promise<[LoadResult, ...LoadResult[]]>;
  stop: () => Promise<void>;
};

export function startLoad(world: World, seed = 1): Load {
  const child = fork(join(import.meta.dirname, "generator.ts"), [], {
    env: inheritedEnvironment(),
    // Its collections of garbage take one of the cores that they share, and not both.
    execArgv: ["--max-old-space-size=4096", "--v8-pool-size=1"],
  });
  const ended = once(child, "exit");
  let answer: (message: FromGenerator) => void = () => undefined;
  child.on("message", (message: FromGenerator) => answer(message));
  ended.then(
    ([code]) => answer({ failure: `the generator ended with ${code}` }),
    (error: Error) => answer({ failure: error.message }),
  );
  const send = (message: ToGenerator): void => {
    child.send(message);
  };
  send({ world, seed });
  return {
    run: async (plan) => {
      const answered = new Promise<FromGenerator>((resolve) => {
        answer = resolve;
      });
      send({ plan });
      const message = await answered;
      if ("failure" in message) throw new Error(message.failure);
      const [first, ...others] = message.results;
      if (first === undefined) throw new Error("the generator told nothing");
      return [first, ...others];
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

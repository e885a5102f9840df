import { overloaded } from "../../http/problem.ts";
import type { InTurn } from "../explanation-text.ts";

/** Does what walks the whole catalogue when its turn comes, or says that there is too much to do. */
export async function taken<T>(inTurn: InTurn, work: () => Promise<T>): Promise<T> {
  const done = inTurn(work);
  if (done === null) throw overloaded();
  return done;
}

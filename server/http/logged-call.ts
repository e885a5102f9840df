import type { Call } from "./call.ts";
import { routePath } from "./route-path.ts";

/** What any line tells of its call beside the id. The method is a stranger's word, but Node knows all that there are. */
export function loggedCall({ method, path }: Pick<Call, "method" | "path">): {
  method: string;
  path: string;
} {
  return { method, path: routePath(path) };
}

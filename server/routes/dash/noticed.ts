import type { Context } from "../../context.ts";

/**
 * What a change has come to, once this process goes by it: whoever has saved a website finds their pages and its preview
 * as they saved them. Other processes learn of it within a second, as of every change.
 */
export async function noticed<Answer>(context: Context, change: Promise<Answer>): Promise<Answer> {
  const answer = await change;
  await context.store.reload();
  return answer;
}

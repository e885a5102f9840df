import { z } from "zod";

export const aliveAnswer = z.object({ status: z.literal("ok") });

export const readyAnswer = z.object({
  status: z.literal("ready"),
  /** What an operator should look after, although visitors may be sent here. */
  warnings: z.array(z.string()).optional(),
});
export type ReadyAnswer = z.infer<typeof readyAnswer>;

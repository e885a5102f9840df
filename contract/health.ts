import { z } from "zod";

export const aliveAnswer = z.object({ status: z.literal("ok") });

export const readyAnswer = z.object({ status: z.literal("ready") });

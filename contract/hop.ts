import { z } from "zod";
import { clickToken } from "./ids.ts";

/** Query of GET /v1/r; whatever else it holds is not looked at. */
export const hopQuery = z.object({ t: clickToken });

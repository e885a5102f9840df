import { type ActivityFilter, listActivity } from "../store/catalogue/activity.ts";
import type { DeskHandle } from "./desk-handle.ts";

/** What was changed, as its publisher may know it. */
export const activityCommands = {
  listActivity: (
    desk: DeskHandle,
    asked: ActivityFilter & { publisherId: string; before?: number | undefined; limit: number },
  ) => listActivity(desk.db, { ...asked, isForPublisher: true }),
};

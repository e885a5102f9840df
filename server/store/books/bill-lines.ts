import { billedEvents } from "../../core/price.ts";

/** Whether a line of the ledger, read as `ledger_line` or joined to what has no kind, is a bill: the others are payments. */
export const isBillLine = `kind in (${billedEvents.map((event) => `'${event}'`).join(", ")})`;

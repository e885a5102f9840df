import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import type { SavingRules } from "../store/catalogue/saving-rules.ts";

/** What a command of the desk works with. */
export type DeskHandle = CatalogueHandle & {
  /** Milliseconds since the epoch, by the service's clock. */
  now: number;
  rules: SavingRules;
};

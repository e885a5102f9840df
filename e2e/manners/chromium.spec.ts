import { startChromium } from "./chromium.ts";
import { describeManners } from "./manners.ts";

describeManners("chromium", {
  absence: null,
  start: (visitor) => startChromium(process.env.CHROMIUM_PATH ?? "", visitor),
});

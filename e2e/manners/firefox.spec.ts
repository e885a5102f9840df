import { foundEngine } from "./find-engine.ts";
import { startFirefox } from "./firefox.ts";
import { describeManners } from "./manners.ts";

const { path, absence } = foundEngine("firefox");

describeManners("firefox", { absence, start: (visitor) => startFirefox(path, visitor) });

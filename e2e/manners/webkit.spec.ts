import { foundEngine } from "./find-engine.ts";
import { describeManners } from "./manners.ts";
import { startWebkit } from "./webkit.ts";

const { path, absence } = foundEngine("webkit");

describeManners("webkit", { absence, start: (visitor) => startWebkit(path, visitor) });

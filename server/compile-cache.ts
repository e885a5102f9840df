import { enableCompileCache } from "node:module";
import { join } from "node:path";

/**
 * Loaded before the program, in each of its threads: what Node has compiled is kept for the next start, which is
 * quicker and needs less memory, since nothing is left to strip of its types. It stands beside the dependencies and
 * not in the system's temporary folder, where other users could leave code for us. Where nothing can be written, it
 * does nothing.
 */
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"));

import { parentPort, workerData } from "node:worker_threads";
import { pageFindings } from "../core/page-check.ts";
import type { FindingsTask } from "./findings-aside.ts";

/** The thread that looks at one page (findings-aside.ts). */
const { page, wanted }: FindingsTask = workerData;
parentPort?.postMessage(pageFindings(page, wanted));

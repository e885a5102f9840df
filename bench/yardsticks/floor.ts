import { createServer, type ServerResponse } from "node:http";
import { Worker } from "node:worker_threads";

/**
 * The floor: what any service costs that keeps our promise. node:http answers with our own headers and a decision's
 * body, after one row of the request is on disk, by group commit in a thread.
 *
 * `node floor.ts PORT DATABASE-FILE {"headers": [name, value, …], "body": "…"}`
 */
const [port, file, answerText] = process.argv.slice(2);
const { headers, body } = JSON.parse(answerText ?? "") as { headers: string[]; body: string };
const head = [...headers, "Content-Length", String(Buffer.byteLength(body))];

const writer = new Worker(new URL("./floor-writer.ts", import.meta.url), { workerData: { file } });
let queue: string[] = [];
let waiting: ServerResponse[] = [];
let underWay: ServerResponse[] | null = null;

/** Whatever has come while the last batch was written is the next one. */
const writeNext = (): void => {
  if (queue.length === 0) return;
  underWay = waiting;
  writer.postMessage(queue);
  [queue, waiting] = [[], []];
};

writer.on("message", () => {
  const answered = underWay ?? [];
  underWay = null;
  writeNext();
  for (const response of answered) response.writeHead(200, head).end(body);
});

const server = createServer((request, response) => {
  queue.push(String(request.headers["x-forwarded-for"]));
  waiting.push(response);
  if (underWay === null && queue.length === 1) setImmediate(writeNext);
});
writer.once("online", () => server.listen(Number(port), "127.0.0.1", () => console.log("listening")));

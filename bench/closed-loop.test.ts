import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closedLoop, requestText } from "./closed-loop.ts";

const received: string[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push(`${request.method} ${request.url} ${Buffer.concat(chunks)}`);
    if (request.url === "/empty") response.writeHead(204).end();
    else if (request.url === "/chunked") {
      response.writeHead(200).write("a0");
      response.end("b");
    } else response.writeHead(404, { "content-length": "4" }).end("gone");
  });
});
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(() => {
  server.close();
});

test("every request is sent once and every answer counted by its status", async () => {
  const requests = [
    ...Array<string>(30).fill(requestText("POST", "/empty", { "content-type": "text/plain" }, "é")),
    ...Array<string>(20).fill(requestText("GET", "/chunked", {})),
    ...Array<string>(10).fill(requestText("GET", "/lost", {})),
  ];
  const { statuses } = await closedLoop(url, requests, 8);
  expect(statuses).toEqual({ 200: 20, 204: 30, 404: 10 });
  expect(received).toHaveLength(60);
  expect(received.filter((line) => line === "POST /empty é")).toHaveLength(30);
});

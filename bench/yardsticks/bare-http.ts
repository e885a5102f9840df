import { createServer } from "node:http";

/** The limit of the runtime: node:http answering a small JSON object and doing nothing else. */
const body = {
  allowed: true,
  country: "DE",
  region: "NW",
  settings: { theme: "auto", trigger: "immediate" },
};

createServer((_request, response) => {
  const text = JSON.stringify(body);
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": text.length,
  });
  response.end(text);
}).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening"));

import { type Agent, type IncomingHttpHeaders, request } from "node:http";

/** A request as a browser or a server would make it. */
export type Call = {
  method?: string;
  /** Null: none. Left out: that of `ws_a`. */
  origin?: string | null;
  /** The client's address as the one trusted proxy reports it. Left out: a German one. Null: no proxy header. */
  from?: string | null;
  headers?: Record<string, string | string[]>;
  /** An object is sent as JSON. */
  body?: unknown;
};

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON. It is whatever the test expects it to be. */
  json: <T = Record<string, unknown>>() => T;
  /** The body but for the one member that tells two equal refusals apart: the id of the request. */
  alike: string;
};

const goodOrigin = "https://shop-a.example";
export const german = "203.0.113.7";
/** A browser's own, for the list of robots knows whoever says less. */
export const chrome =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36";
export const newJersey = "198.51.100.7";
export const nowhere = "192.0.2.7";

/** Makes one request, with exactly these headers, and reads the whole answer. */
export function call(url: string, given: Call = {}, agent?: Agent): Promise<Answer> {
  const { method = "GET", origin = goodOrigin, from = german, headers = {}, body } = given;
  const bytes =
    body === undefined || body instanceof Uint8Array || typeof body === "string"
      ? body
      : JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(
    url,
    {
      method,
      agent,
      headers: {
        ...(origin !== null && { Origin: origin }),
        ...(from !== null && { "X-Forwarded-For": from }),
        ...(bytes !== undefined && {
          "Content-Type": "text/plain",
          "Content-Length": Buffer.byteLength(bytes),
        }),
        "User-Agent": chrome,
        ...headers,
      },
    },
    (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const alike = text.replace(/,"instance":"[\w-]+"/, "");
        const status = res.statusCode ?? 0;
        resolve({ status, headers: res.headers, text, json: () => JSON.parse(text), alike });
      });
    },
  );
  sent.on("error", reject);
  sent.end(bytes);
  return promise;
}

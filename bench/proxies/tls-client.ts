import { once } from "node:events";
import { Agent, request } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import { type Answer, type HttpClient, readAnswer } from "../http-client.ts";

/** A client that speaks TLS with a proxy on this machine, by kept-alive connections. */
export type TlsClient = HttpClient & {
  /** The fingerprint of the certificate that a new connection is shown. */
  certificate(): Promise<string>;
  /** The protocol that is taken of those that browsers offer with a new connection. */
  protocol(): Promise<string | false | null>;
};

/**
 * As browsers do, it asks once more over a new connection where one that was kept is closed at the very moment in which it is
 * used again (RFC 9112, 9.3.1). `from`: the address that it calls from.
 */
export function openTlsClient(port: number, from = "127.0.0.1"): TlsClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const open = {
    ...{ host: "127.0.0.1", port, servername: "offers.example", localAddress: from },
    // It was made a moment ago, and nobody vouches for it; which one it is is looked at apart.
    rejectUnauthorized: false,
  };
  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string,
    over: Agent | false = agent,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const all = { ...headers, host: "offers.example" };
      const options = { ...open, method, path, headers: all, agent: over, timeout: 15_000 };
      const call = request(options, (answer) => resolve(readAnswer(answer)));
      call.on("error", (error) => {
        if (call.reusedSocket && over !== false) resolve(send(method, path, headers, body, false));
        else reject(error);
      });
      call.on("timeout", () => call.destroy(new Error(`${method} ${path} had no answer within 15 s`)));
      call.end(body);
    });
  return {
    get: (path, headers = {}) => send("GET", path, headers, ""),
    post: (path, body, headers = {}) =>
      send("POST", path, { ...headers, "content-length": String(Buffer.byteLength(body)) }, body),
    close: () => agent.destroy(),
    protocol: async () => {
      const socket = connect({ ...open, ALPNProtocols: ["h2", "http/1.1"] });
      await once(socket, "secureConnect");
      socket.destroy();
      return socket.alpnProtocol;
    },
    certificate: () =>
      new Promise((resolve, reject) => {
        const call = request({ ...open, path: "/healthz", agent: false }, (answer) => {
          resolve((answer.socket as TLSSocket).getPeerCertificate().fingerprint256);
          answer.resume();
        });
        call.on("error", reject);
        call.end();
      }),
  };
}

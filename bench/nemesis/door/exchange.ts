import { connect } from "node:net";

/** An answer as it stands on the wire. */
export type Heard = { status: number; headers: Map<string, string>; body: string };

/** What a connection brought: its answers in order, and what of it was none. */
export type Exchange = { answers: Heard[]; rest: string; error: string | null };

/**
 * Sends these bytes over a connection of their own, closes its half, and reads until the other one is closed.
 * @param isHead whether the last request is one whose answer has no body, whatever its length says.
 */
export function exchange(port: number, bytes: Uint8Array, isHead = false): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let error: string | null = null;
    const socket = connect({ host: "127.0.0.1", port, noDelay: true, allowHalfOpen: true });
    socket.setTimeout(20_000, () => {
      error = "no answer and no end within 20 s";
      socket.destroy();
    });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", (reason: NodeJS.ErrnoException) => {
      // A connection that the service has ended may be reset while we still write.
      if (reason.code !== "ECONNRESET" && reason.code !== "EPIPE") error ??= String(reason);
    });
    socket.on("end", () => socket.destroy());
    socket.on("close", () => resolve({ ...readAnswers(Buffer.concat(chunks), isHead), error }));
    socket.end(bytes);
  });
}

const readAnswers = (bytes: Buffer, isHead: boolean): { answers: Heard[]; rest: string } => {
  const answers: Heard[] = [];
  let from = 0;
  for (;;) {
    const headEnd = bytes.indexOf("\r\n\r\n", from);
    if (headEnd < 0) break;
    const [first = "", ...lines] = bytes.toString("latin1", from, headEnd).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (Number.isNaN(status)) break;
    const headers = new Map(
      lines.map((line): [string, string] => {
        const at = line.indexOf(":");
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
      }),
    );
    const end = isHead ? headEnd + 4 : endOfBody(bytes, headEnd + 4, status, headers);
    answers.push({ status, headers, body: bytes.toString("utf8", headEnd + 4, end) });
    from = end;
  }
  return { answers, rest: bytes.toString("latin1", from) };
};

const endOfBody = (bytes: Buffer, at: number, status: number, headers: Map<string, string>): number => {
  if (status < 200 || status === 204 || status === 304) return at;
  if (headers.get("transfer-encoding") === "chunked") {
    const end = bytes.indexOf("0\r\n\r\n", at);
    return end < 0 ? bytes.length : end + 5;
  }
  return Math.min(bytes.length, at + Number(headers.get("content-length") ?? bytes.length - at));
};

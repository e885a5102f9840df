import { connect } from "node:net";

export type Target = { host: string; port: number };

/** Status 0: the connection broke off without an answer. The body is `""` unless it was asked for. */
export type Answered = (status: number, body: string) => void;

export type Connection = {
  /** One request at a time: the next one may follow when the answer is complete. */
  send: (text: string, wantsBody: boolean, answered: Answered) => void;
  isOpen: () => boolean;
  close: () => void;
};

/**
 * A kept-alive connection over a raw socket. It reads no more of an answer than its status and its end: Node's own
 * client costs more than the services that are measured here.
 */
export function openConnection({ host, port }: Target): Connection {
  let isOpen = true;
  let received: Buffer | null = null;
  let waiting: { wantsBody: boolean; answered: Answered } | null = null;
  const socket = connect({ host, port, noDelay: true });

  const finish = (status: number, body: string): void => {
    const done = waiting;
    waiting = null;
    received = null;
    done?.answered(status, body);
  };
  socket.on("data", (chunk) => {
    received = received === null ? chunk : Buffer.concat([received, chunk]);
    const answer = readAnswer(received);
    if (answer === null || waiting === null) return;
    if (answer.closes) {
      isOpen = false;
      socket.end();
    }
    const body = waiting.wantsBody ? received.toString("latin1", answer.bodyAt, answer.end) : "";
    finish(answer.status, body);
  });
  const end = (): void => {
    isOpen = false;
    socket.destroy();
    if (waiting !== null) finish(0, "");
  };
  socket.on("error", end);
  socket.on("end", end);
  socket.on("close", end);
  return {
    send: (text, wantsBody, answered) => {
      waiting = { wantsBody, answered };
      socket.write(text, "latin1");
    },
    isOpen: () => isOpen,
    close: () => {
      isOpen = false;
      socket.destroy();
    },
  };
}

type Head = { status: number; bodyAt: number; end: number; closes: boolean };

/** Null while the answer is not complete. */
const readAnswer = (bytes: Buffer): Head | null => {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const head = bytes.toString("latin1", 0, headEnd).toLowerCase();
  const bodyAt = headEnd + 4;
  const end = endOfBody(bytes, head, bodyAt);
  if (end === null || end > bytes.length) return null;
  return { status: Number(head.slice(9, 12)), bodyAt, end, closes: head.includes("\r\nconnection: close") };
};

const endOfBody = (bytes: Buffer, head: string, bodyAt: number): number | null => {
  const name = "\r\ncontent-length: ";
  const at = head.indexOf(name);
  if (at >= 0) return bodyAt + Number.parseInt(head.slice(at + name.length), 10);
  if (!head.includes("\r\ntransfer-encoding: chunked")) return bodyAt;
  const lastChunk = "\r\n0\r\n\r\n";
  // The last chunk may be the only one: then the line before it is the end of the head.
  const end = bytes.indexOf(lastChunk, bodyAt - 2);
  return end < 0 ? null : end + lastChunk.length;
};

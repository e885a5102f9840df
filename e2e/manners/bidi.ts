/** A connection that speaks WebDriver BiDi: commands with answers, and events. */
export type Bidi = {
  send: <T>(method: string, params: object) => Promise<T>;
  onEvent: (listener: (method: string, params: unknown) => void) => void;
  close: () => void;
};

type Incoming = {
  id?: number;
  type?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  message?: string;
};
type Waiting = { resolve: (result: never) => void; reject: (reason: Error) => void };

export async function connectBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error(`no connection to ${url}`)), { once: true });
  });
  const waiting = new Map<number, Waiting>();
  const listeners: ((method: string, params: unknown) => void)[] = [];
  let count = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, type, method, params, result, message } = JSON.parse(String(data)) as Incoming;
    if (type === "event") for (const listener of listeners) listener(method ?? "", params);
    const asked = waiting.get(id ?? -1);
    if (asked === undefined) return;
    waiting.delete(id ?? -1);
    if (type === "success") asked.resolve(result as never);
    else asked.reject(new Error(message));
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("the browser closed the connection"));
  });
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        count += 1;
        waiting.set(count, { resolve, reject });
        socket.send(JSON.stringify({ id: count, method, params }));
      }),
    onEvent: (listener) => listeners.push(listener),
    close: () => socket.close(),
  };
}

import { readdir, readlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { atLeast, atMost, type Check, equal } from "../../checks.ts";
import { type AnyMethodClient, openHttpClient } from "../../http-client.ts";
import { visitorAt } from "../../visitor.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import { openShop, type Shop } from "./shops.ts";

/** What a client does that wants to hold a socket and do nothing for it. */
const kinds = {
  /** A line of the head now and then, and never its end. */
  "slow heads": { first: "GET /v1/whats-my-ip HTTP/1.1\r\nHost: x\r\n", drip: "X-Drip: 1\r\n" },
  /** A byte of the body now and then, of a thousand. */
  "slow bodies": {
    first:
      "POST /v1/events/click HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n",
    drip: "x",
  },
  "silent ones": { first: "", drip: "" },
  "half a line": { first: "GET /v1/wha", drip: "" },
} as const;
type Kind = keyof typeof kinds;

type Held = { kind: Kind; socket: Socket; openedAt: number; endedAt: number | null };

const dripEveryMs = 700;
const normalSockets = 8;
/** What the bar says, and what a busy machine's clock may be late by. */
const mostSeconds = 10;
const graceSeconds = 0.5;

/** Holds hundreds of sockets as slowly as can be: all are dropped in time, and nobody else notices. */
export async function slowSockets({
  engine,
  sockets,
}: Pick<DoorOptions, "engine"> & { sockets: number }): Promise<Check[]> {
  const door = await openDoor({ engine });
  const { service } = door;
  const client = openHttpClient(service.url, normalSockets);
  const held: Held[] = [];
  const unread: Socket[] = [];
  try {
    const shop = await openShop(service, "a");
    const port = Number(new URL(service.url).port);
    await measure(client, shop, 3_000);
    const baseline = await measure(client, shop, 6_000);
    const before = await countSockets(service.pid);
    for (const kind of Object.keys(kinds) as Kind[]) {
      const count = kind.startsWith("slow") ? sockets : Math.ceil(sockets / 5);
      for (let number = 0; number < count; number += 1) {
        held.push(hold(kind, port));
        // All at once would be a flood, and measure us.
        if (number % 20 === 0) await pause(5);
      }
    }
    for (let number = 0; number < Math.max(20, sockets / 20); number += 1) {
      unread.push(readNothing(port));
      await pause(20);
    }
    const unreadFrom = performance.now();
    const dripping = drip(held);
    const meanwhile = await measure(client, shop, 8_000);
    while (performance.now() - unreadFrom < 20_000) {
      if (
        held.every(({ endedAt }) => endedAt !== null) &&
        (await countSockets(service.pid)) <= before + normalSockets
      )
        break;
      await pause(100);
    }
    const unreadSeconds = Math.round((performance.now() - unreadFrom) / 100) / 10;
    clearInterval(dripping);
    const secondsOf = (kind: Kind): number => {
      const ended = held
        .filter((one) => one.kind === kind)
        .map(({ openedAt, endedAt }) => (endedAt === null ? Number.POSITIVE_INFINITY : endedAt - openedAt));
      return Math.round(Math.max(...ended) / 100) / 10;
    };
    const all = Object.keys(kinds) as Kind[];
    return [
      atLeast("sockets held", held.length, 2 * sockets),
      ...all.map((kind) => ({
        ...atMost(
          `seconds until the last of the ${kind} was dropped`,
          secondsOf(kind),
          mostSeconds + graceSeconds,
        ),
      })),
      atMost("seconds until the service held none of the sockets", unreadSeconds, mostSeconds + graceSeconds),
      equal("normal calls that were not answered 200", meanwhile.wrong + baseline.wrong, 0),
      atLeast("normal calls meanwhile", meanwhile.calls, 100),
      // Within twenty milliseconds it is the machine, and what holds the sockets, that is measured.
      atMost(
        `p99 of normal calls meanwhile in ms, ${baseline.p99} before`,
        meanwhile.p99,
        Math.round(Math.max(2 * baseline.p99, baseline.p99 + 20) * 10) / 10,
      ),
    ];
  } finally {
    for (const socket of [...unread, ...held.map((one) => one.socket)]) socket.destroy();
    client.close();
    await door.stop();
  }
}

const hold = (kind: keyof typeof kinds, port: number): Held => {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  const one: Held = { kind, socket, openedAt: performance.now(), endedAt: null };
  watch(one);
  socket.on("data", () => undefined);
  socket.on("connect", () => {
    one.openedAt = performance.now();
    if (kinds[kind].first !== "") socket.write(kinds[kind].first);
  });
  return one;
};

/** Every socket drips in its turn: all at once they would hold up this process, which takes the time of the normal calls. */
const drip = (held: readonly Held[]): NodeJS.Timeout => {
  const turns = 50;
  let turn = 0;
  return setInterval(() => {
    turn = (turn + 1) % turns;
    for (let at = turn; at < held.length; at += turns) {
      const one = held[at];
      if (one?.endedAt === null && kinds[one.kind].drip !== "") one.socket.write(kinds[one.kind].drip);
    }
  }, dripEveryMs / turns);
};

/** Asks for a long answer, over and over, and reads none of it: that it was dropped shows at the service alone. */
const readNothing = (port: number): Socket => {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  socket.on("error", () => undefined);
  socket.pause();
  socket.on("connect", () => socket.write("GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(40)));
  return socket;
};

/** Sockets that the process has open. */
const countSockets = async (pid: number): Promise<number> => {
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")),
  );
  return links.filter((link) => link.startsWith("socket:")).length;
};

const watch = (one: Held): void => {
  const end = (): void => {
    one.endedAt ??= performance.now();
    one.socket.destroy();
  };
  one.socket.on("error", end);
  one.socket.on("end", end);
  one.socket.on("close", end);
};

/** Calls of an honest website's pages that wait for no disk, forty a second: how long they take. */
const measure = async (
  client: AnyMethodClient,
  { website }: Shop,
  forMs: number,
): Promise<{ calls: number; wrong: number; p99: number }> => {
  const times: number[] = [];
  let wrong = 0;
  const until = performance.now() + forMs;
  const running: Promise<void>[] = [];
  for (let number = 0; performance.now() < until; number += 1) {
    const from = performance.now();
    const asking = client.get("/v1/whats-my-ip", visitorAt(number, website).headers).then(
      ({ status }) => {
        if (status !== 200) wrong += 1;
        times.push(performance.now() - from);
      },
      () => {
        wrong += 1;
      },
    );
    running.push(asking);
    await pause(25);
  }
  await Promise.all(running);
  times.sort((one, other) => one - other);
  const p99 = times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0;
  return { calls: times.length, wrong, p99: Math.round(p99 * 10) / 10 };
};

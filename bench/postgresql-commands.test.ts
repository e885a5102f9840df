import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../server/testing/free-port.ts";
import { forbiddenIn } from "../server/testing/log-search.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../server/testing/postgres-server.ts";
import { inheritedEnvironment, repositoryRoot } from "./program.ts";
import { runShell } from "./run-shell.ts";

const page = readFileSync(join(repositoryRoot, "docs/postgresql.md"), "utf8");
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = ""]) => text);

/** Those that have psql, pg_dump and pg_restore. */
const programs = findPostgres("pg_restore");
const hasTools = programs !== null && spawnSync("curl", ["--version"]).status === 0;

/** What the page on production has left behind: a configuration, a service that runs, and an installation to be moved. */
const before = `
mkdir -p "$CONFIG" "$DATA_DIR" "$BACKUPS"
cat > "$CONFIG/env" <<END
BASE_URL=http://127.0.0.1:$PORT
PORT=$PORT
DATA_DIR=$DATA_DIR
SEED_DEMO=true
TOKEN_SECRET=$(head -c 48 /dev/urandom | base64)
END
admin() { npm run --silent admin -- "$@"; }
as_offers() { (umask 077 && exec "$@"); }
front() { echo "in front: $1"; }
ready() { until curl -sf "http://127.0.0.1:$PORT/readyz"; do sleep 0.2; done; echo; }
stop() { kill "$(cat "$CONFIG/pid")" 2> /dev/null || true; while kill -0 "$(cat "$CONFIG/pid")" 2> /dev/null; do sleep 0.05; done; }
start() {
  (set -a; . "$CONFIG/env"; exec setsid "$NODE" server/main.ts) >> "$CONFIG/log" 2>&1 < /dev/null &
  echo $! > "$CONFIG/pid"
}
systemctl() {
  case "$1 $2" in
    "restart postgresql") as_postgres pg_ctl -D "$SERVER_DATA" -l "$PLACE/log" -m fast -w restart > /dev/null ;;
    "stop offers") [ "$3" = offers-aside ] && stop ;;
    # As on a machine that never had that timer.
    "disable --now") [ "$3" = offers-backup.timer ] && echo "no nightly backup of the file"; return 1 ;;
    "start offers") start ;;
    "restart offers") stop; start ;;
    *) return 1 ;;
  esac
}
runuser() {
  [ "$1 $2 $3" = "-u postgres --" ] && shift 3
  if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; fi
  "$@" || { tail -n 20 "$PLACE"/*/log "$PLACE/log" >&2; return 1; }
}
# Whoever the server runs as here takes the place of postgres.
install() {
  [ "$1 $2 $3 $4 $5 $6 $7" = "-d -o postgres -g postgres -m 700" ] && shift 7
  if [ "$(id -u)" = 0 ]; then set -- -o 65534 -g 65534 "$@"; fi
  command install -d -m 700 "$@"
}
set -a; . "$CONFIG/env"; set +a
trap stop EXIT
systemctl start offers
ready
WEBSITE=$(admin website list --json | "$NODE" -pe 'JSON.parse(fs.readFileSync(0))[0].websiteKey')
`;

/** What is still there at the end, and that it is asked of PostgreSQL. */
const after = `
admin website list --json | grep -q "$WEBSITE"
echo "served from: $(psql "$DATABASE_URL" -Atc "select count(distinct application_name) > 2 from pg_stat_activity
  where datname = 'offers' and application_name like 'offers %'")"
echo "archived: $(psql "$SERVER" -Atc "show archive_mode") $(ls "$ARCHIVE" | wc -l)"
echo "not paused: $(psql "$DATABASE_URL" -Atc "select count(*) > 3 from offer where status <> 'paused'")"
`;

/** What the move has left behind: service and commands are on PostgreSQL from then on. */
const moved = `
echo "moved: $(psql "$FIRST" -Atc "select count(*) > 2 from pg_stat_activity
  where datname = 'offers' and application_name like 'offers %'") $(env | grep -c '^DATABASE_URL=.*=10$')"
`;

/** Nothing is left of the file. */
const removed = `
echo "left of the file: $(ls "$DATA_DIR" | grep -c '^offers')" || true
`;

/** As the copy of a server is whose commits wait for a standby, which its services demand. */
const waitsForStandby = `
echo "synchronous_standby_names = 'ANY 1 (*)'" >> "$BASES/$(ls "$BASES" | tail -n 1)/postgresql.auto.conf"
echo REQUIRE_SYNC_STANDBY=true >> "$CONFIG/env"
`;

/** What the restores have left behind. */
const restoredTwice = `
echo "replaced: $(psql "$SERVER" -Atc "select count(*) from pg_database where datname like 'offers_replaced_%'")"
`;

/** A piece of the log is archived again, and another one in its place. */
const archivedAgain = `
echo "copies: $(ls "$BASES" | wc -l)"
piece=$(ls "$ARCHIVE" | grep -m 1 -xE '[0-9A-F]{24}')
archive() { psql "$SERVER" -Atc "show archive_command" | sed "s|%p|$1|g; s|%f|$piece|g" | sh; }
archive "$ARCHIVE/$piece" && echo "archived again"
archive "$CONFIG/env" || echo "no other one"
`;

/** What is served from is no folder to recover in: at its port nothing starts, and the service goes on with it. */
const leftAsItIs = `
systemctl start offers && ready
echo "recovered in: $(ls -d "$PLACE"/restored-* | wc -l)"
[ ! -e "$(psql "$SERVER" -Atc "show data_directory")/recovery.signal" ] && echo "left as it is"
`;

/** Somebody goes on with the role that is shut out. */
const stillUsed = `
psql "postgres://offers@127.0.0.1:$RESTORED_PORT/offers" -c "select pg_sleep(60)" > /dev/null 2>&1 &
until [ "$(psql "$SERVER" -Atc "select count(*) from pg_stat_activity where usename = 'offers'")" = 1 ]; do sleep 0.1; done
`;

/** The accident has happened where the copy was not taken from. */
const paused = `
echo "paused: $(psql "$FIRST" -Atc "select count(*) from offer where status <> 'paused'")"
`;

describe.skipIf(!hasTools)("the page on PostgreSQL", () => {
  const directory = mkdtempSync(join(tmpdir(), "postgresql-page-"));
  let server: PostgresServer;
  /** As Debian has them on everybody's path: all that the page calls but pg_ctl. */
  const onPath = join(directory, "bin");
  /** As the machine's folder for backups: root's. */
  const backups = join(directory, "var-backups");
  /** Where whoever runs the server may write. */
  const place = join(directory, "place");
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  beforeAll(async () => {
    server = await startPostgres({ programs });
    await server.administer("create role postgres superuser login");
    // What is started on a copy of its files has that as well.
    await server.administer(`alter system set unix_socket_directories = '${place}'`);
    await server.administer("alter system set max_connections = 200");
    chmodSync(directory, 0o755);
    for (const folder of [place, onPath, backups]) mkdirSync(folder, { mode: 0o755 });
    for (const name of ["psql", "pg_dump", "pg_restore", "pg_basebackup"])
      symlinkSync(join(programs ?? "", name), join(onPath, name));
    if (as.uid !== undefined) chownSync(place, as.uid, as.gid);
  }, 60_000);
  afterAll(async () => {
    // The page has started both of them anew.
    const restored = readdirSync(place).filter((name) => name.startsWith("restored-"));
    for (const data of [server.dataDir, ...restored.map((name) => join(place, name))]) {
      const words = ["-D", data, "-m", "immediate", "-w", "stop"];
      spawnSync(join(programs ?? "", "pg_ctl"), words, { cwd: place, ...as });
    }
    await server.remove();
    const log = join(directory, "config/log");
    const said = existsSync(log) ? readFileSync(log, "utf8") : "";
    rmSync(directory, { recursive: true, force: true });
    expect(forbiddenIn(said)).toEqual([]);
  });

  test("runs from the empty database to the one that was restored, as it stands", async () => {
    // A shell ends a word at this.
    const options = "sslmode=disable&connect_timeout=10";
    const restoredPort = await freePort();
    const environment = {
      ...inheritedEnvironment(),
      PATH: `${onPath}:${process.env.PATH}`,
      NODE: process.execPath,
      CONFIG: join(directory, "config"),
      DATA_DIR: join(directory, "data"),
      BACKUPS: join(directory, "backups"),
      PORT: String(await freePort()),
      DATABASE_URL: undefined,
      SERVER: server.url("postgres").replace("offers@", "postgres@"),
      FIRST: server.url("offers"),
      SERVER_DATA: server.dataDir,
      PLACE: place,
      ARCHIVE: join(backups, "postgresql/wal"),
      BASES: join(backups, "postgresql/base"),
      RESTORES: place,
      RESTORED_PORT: String(restoredPort),
      RESTORED_URL: `postgres://offers@127.0.0.1:${restoredPort}/offers?${options}`,
    };
    expect(blocks).toHaveLength(9);
    const address = `DATABASE_URL='${server.url("offers")}?${options}'`;
    const [
      first = "",
      move = "",
      remove = "",
      dump = "",
      restore = "",
      names = "",
      archive = "",
      moment = "",
      rotate = "",
    ] = blocks;
    const again = moment.replace(/^psql .*paused.*$/m, "");
    const script = [
      before,
      address,
      first,
      // The session of somebody who moves it ends before anything else is done.
      `stop; admin move --to "$DATABASE_URL"`,
      `${move.trimEnd()} || true`,
      ...[moved, remove, removed],
      dump,
      `mkdir "$PLACE/half"; head -c 30000 "$BACKUPS/offers.dump" > "$PLACE/half/offers.dump"`,
      `(set +e; BACKUPS=$PLACE/half\n${restore}\ntrue)`,
      `curl -sf "http://127.0.0.1:$PORT/readyz"; echo`,
      ...[restore, restore, restoredTwice],
      ...[names, archive, archive, archivedAgain],
      // Another shell has none of these, nor a copy from which to go on.
      `(set +e; BASES=$PLACE/nowhere\n${again}\ntrue)`,
      `curl -sf "http://127.0.0.1:$PORT/readyz"; echo`,
      waitsForStandby,
      moment,
      `(set +e\n${again}\ntrue)`,
      leftAsItIs,
      // As others write it.
      `sed -i "/^DATABASE_URL=/s/'/\\"/g" "$CONFIG/env"`,
      rotate,
      stillUsed,
      `(set +e\n${rotate}\ntrue)`,
      `echo "role: $(psql "$DATABASE_URL" -Atc "select session_user")"`,
      `psql "$SERVER" -c "alter role offers nologin" -c "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'offers'"`,
      `sleep 1`,
      rotate,
      after,
      paused,
    ].join("\n");
    const out = await runShell(script, environment);
    expect(out.match(/"status":"ready"/g)).toHaveLength(10);
    expect(out.match(/^in front: .*$/gm)).toEqual(Array(4).fill(`in front: ${environment.PORT}`));
    expect(out).toContain("recovered in: 2\nleft as it is\n");
    expect(statSync(join(directory, "backups/offers.dump")).mode & 0o077).toBe(0);
    expect(out).toContain("replaced: 2\n");
    expect(out).toContain("copies: 2\narchived again\nno other one\n");
    expect(out).toContain("same reports");
    expect(out).toContain("moved: t 1\n");
    expect(out).toContain("left of the file: 0\n");
    expect(out).toContain("no nightly backup of the file");
    expect(readFileSync(join(directory, "config/env"), "utf8").match(/^DATABASE_URL=.*$/gm)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^DATABASE_URL='postgres://offers:\\w+@127\\.0\\.0\\.1:${restoredPort}/offers\\?${options}'$`,
        ),
      ),
    ]);
    expect(out).toContain("every figure agrees with the ledger");
    expect(out).toContain("served from: t");
    expect(out).toMatch(/archived: off \d+/);
    expect(out).toContain("paused: 0\n");
    expect(out).toContain("not paused: t");
    expect(out).toContain("offers_next|offers\n");
    expect(out).toContain("role: offers_next\n");
    expect(out).toContain("\noffers|offers\n");
  }, 400_000);
});

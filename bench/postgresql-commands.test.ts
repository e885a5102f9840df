import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../server/testing/postgres-server.ts";
import { runShell } from "./run-shell.ts";
import { freePort, inheritedEnvironment, repositoryRoot } from "./service.ts";

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
ready() { until curl -sf "http://127.0.0.1:$PORT/readyz"; do sleep 0.2; done; echo; }
systemctl() {
  if [ "$1" = stop ]; then kill "$(cat "$CONFIG/pid")"; while kill -0 "$(cat "$CONFIG/pid")" 2> /dev/null; do sleep 0.05; done; return; fi
  (set -a; . "$CONFIG/env"; exec setsid "$NODE" server/main.ts) > "$CONFIG/log" 2>&1 < /dev/null &
  echo $! > "$CONFIG/pid"
}
set -a; . "$CONFIG/env"; set +a
trap 'systemctl stop' EXIT
systemctl start offers
ready
WEBSITE=$(admin website list --json | "$NODE" -pe 'JSON.parse(fs.readFileSync(0))[0].websiteKey')
`;

/** What is still there at the end, and that it is asked of PostgreSQL. */
const after = `
admin website list --json | grep -q "$WEBSITE"
echo "served from: $(psql "$DATABASE_URL" -Atc "select count(distinct application_name) > 2 from pg_stat_activity
  where datname = 'offers' and application_name like 'offers %'")"
`;

describe.skipIf(!hasTools)("the page on PostgreSQL", () => {
  const directory = mkdtempSync(join(tmpdir(), "postgresql-page-"));
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ programs });
  }, 60_000);
  afterAll(async () => {
    await server.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  test("runs from the empty database to the one that was restored, as it stands", async () => {
    const environment = {
      ...inheritedEnvironment(),
      PATH: `${programs}:${process.env.PATH}`,
      NODE: process.execPath,
      CONFIG: join(directory, "config"),
      DATA_DIR: join(directory, "data"),
      BACKUPS: join(directory, "backups"),
      PORT: String(await freePort()),
      DATABASE_URL: undefined,
      SERVER: server.url("postgres"),
    };
    expect(blocks).toHaveLength(4);
    const address = `DATABASE_URL=${server.url("offers")}`;
    const [first = "", ...others] = blocks;
    const out = await runShell([before, address, first, ...others, after].join("\n"), environment);
    expect(out.match(/"status":"ready"/g)).toHaveLength(3);
    expect(out).toContain("same reports");
    expect(out).toContain("every figure agrees with the ledger");
    expect(out).toContain("served from: t");
  }, 240_000);
});

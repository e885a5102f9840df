/**
 * Settings of a session that writes batches. Each of its statements looks a few rows up by their keys: of a table that was
 * empty when the plan was made, a plan of another kind would be kept while the table grows. The timeouts end what is stuck
 * before those who wait give up.
 */
export const writerSettings = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_material: "off",
  enable_bitmapscan: "off",
  plan_cache_mode: "force_generic_plan",
  jit: "off",
  statement_timeout: 2000,
  lock_timeout: 1500,
  idle_in_transaction_session_timeout: 2000,
} as const satisfies Readonly<Record<string, string | number>>;

/** What the server does about a node whose network is gone. */
export const networkSettings = {
  tcp_user_timeout: 5000,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
} as const satisfies Readonly<Record<string, string | number>>;

/** A session that has said nothing for so long, though it holds a lock, is that of a machine which has lost its power. */
export const silentMs = 30_000;

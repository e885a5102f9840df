import { type Kysely, sql } from "kysely";

/** People who sign in: who they are, whom they work for, their sessions, and links by which they come in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table user (
      id integer primary key autoincrement,
      email text not null unique,
      name text not null,
      password_hash text,
      is_operator integer not null default 0 check (is_operator in (0, 1)),
      theme text not null default 'auto',
      created_at integer not null,
      disabled_at integer
    ) strict`,
    `create table member (
      user_id integer not null references user (id),
      publisher_id text not null references publisher (id),
      role text not null check (role in ('viewer', 'editor', 'owner')),
      created_at integer not null,
      primary key (user_id, publisher_id)
    ) strict, without rowid`,
    `create index member_publisher on member (publisher_id)`,
    `create table session (
      id integer primary key autoincrement,
      hash text not null unique,
      user_id integer not null references user (id),
      agent text not null,
      created_at integer not null,
      seen_at integer not null,
      signed_in_at integer not null,
      expires_at integer not null
    ) strict`,
    `create index session_user on session (user_id)`,
    `create index session_seen on session (seen_at)`,
    `create index session_expires on session (expires_at)`,
    `create table sign_in_link (
      id integer primary key autoincrement,
      hash text not null unique,
      kind text not null check (kind in ('set_up', 'invitation', 'password', 'sign_in')),
      email text,
      publisher_id text references publisher (id),
      role text check (role in ('viewer', 'editor', 'owner')),
      is_operator integer not null default 0 check (is_operator in (0, 1)),
      made_by text not null,
      created_at integer not null,
      expires_at integer not null
    ) strict`,
    `create index sign_in_link_expires on sign_in_link (expires_at)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

import { type PublisherId, publisherId } from "@offers/contract/ids";
import type { ActivityAction, ActivitySubject } from "@offers/contract/words";
import type { Kysely, Selectable } from "kysely";
import type { Actor } from "../../core/actor.ts";
import { changedMembers } from "../../core/changed-members.ts";
import type { ActivityTable, Schema } from "../schema.ts";

type Members = Readonly<Record<string, unknown>>;

/** What was changed, by the name under which people know it. */
export type Subject = { kind: ActivitySubject; id: string; name: string };

/** One change: who did what, and the members in which it made a difference. */
export type Activity = {
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** The version of what it wrote. */
  version: number;
  actor: Actor;
  /** Whose activity it is part of; null: the operator's matter. */
  publisherId: PublisherId | null;
  subject: Subject;
  action: ActivityAction;
  /** Null: it was not there. */
  before: Members | null;
  after: Members | null;
};

/** Which changes are asked for; what is left out narrows nothing. */
export type ActivityFilter = {
  /** Null: the operator's matters alone. */
  publisherId?: string | null | undefined;
  /** A user by number, anybody else by name. */
  actor?: { kind: "user"; userId: number } | Exclude<Actor, { kind: "user" }> | undefined;
  actorKind?: Actor["kind"] | undefined;
  subject?: Pick<Subject, "kind" | "id"> | undefined;
  subjectKind?: ActivitySubject | undefined;
};

/**
 * What an operator may keep to itself: a publisher that knew its share could tell what advertisers pay, and an invitation that
 * is to operate the service no more would tell of whoever is shut out.
 */
const operatorsMembers = ["shareBasisPoints", "showSpend", "isOperator"];

/**
 * The newest changes, `limit` at the most, newest first; the next page begins `before` the last one's id.
 * With `isForPublisher` the values of what only the operator knows are left out.
 */
export async function listActivity(
  db: Kysely<Schema>,
  asked: ActivityFilter & { before?: number | undefined; limit: number; isForPublisher?: boolean },
): Promise<Activity[]> {
  let query = db.selectFrom("activity").selectAll().orderBy("id", "desc").limit(asked.limit);
  if (asked.before !== undefined) query = query.where("id", "<", asked.before);
  if (asked.publisherId === null) query = query.where("publisher_id", "is", null);
  else if (asked.publisherId !== undefined) query = query.where("publisher_id", "=", asked.publisherId);
  if (asked.actor) {
    query = query.where("actor_kind", "=", asked.actor.kind).where("actor_id", "=", actorId(asked.actor));
  }
  if (asked.actorKind) query = query.where("actor_kind", "=", asked.actorKind);
  if (asked.subjectKind) query = query.where("subject_kind", "=", asked.subjectKind);
  if (asked.subject) {
    query = query.where("subject_kind", "=", asked.subject.kind).where("subject_id", "=", asked.subject.id);
  }
  const rows = (await query.execute()).map(activityOf);
  return asked.isForPublisher ? rows.map(withoutOperatorsMembers) : rows;
}

/** What made a version of the catalogue; null: it is not known any more, or was never noted. */
export async function activityOfVersion(db: Kysely<Schema>, version: number): Promise<Activity | null> {
  const row = await db
    .selectFrom("activity")
    .selectAll()
    .where("version", "=", version)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? activityOf(row) : null;
}

/** What a change tells of itself: values of before and after, of which only the members that differ are kept. */
export type Told = {
  /** Null: the operator's matter. */
  publisherId: string | null;
  subject: Subject;
  action: ActivityAction;
  before: object | null;
  after: object | null;
};

/** Notes what was changed, and says whether anything was: else nothing is noted. Nothing secret is ever told. */
export async function noteActivity(
  db: Kysely<Schema>,
  by: { actor: Actor; at: number; version: number },
  { publisherId: owner, subject, action, before, after }: Told,
): Promise<boolean> {
  const changed = changedMembers(before, after);
  if (changed === null) return false;
  await db
    .insertInto("activity")
    .values({
      at: by.at,
      version: by.version,
      actor_kind: by.actor.kind,
      actor_id: actorId(by.actor),
      actor_name: by.actor.name,
      publisher_id: owner,
      subject_kind: subject.kind,
      subject_id: subject.id,
      subject_name: subject.name,
      action,
      before_json: changed.before && JSON.stringify(changed.before),
      after_json: changed.after && JSON.stringify(changed.after),
    })
    .execute();
  return true;
}

/**
 * Puts a user's number in the place of their name and address in all that was told, whatever they were called then.
 */
export async function forgetPerson(
  db: Kysely<Schema>,
  { userId, email, standIn }: { userId: number; email: string; standIn: string },
): Promise<void> {
  const id = String(userId);
  await db
    .updateTable("activity")
    .set({ actor_name: standIn })
    .where("actor_kind", "=", "user")
    .where("actor_id", "=", id)
    .execute();
  // An invitation was told of by its address, for there was no user yet.
  await db
    .updateTable("activity")
    .set({ subject_id: id, subject_name: standIn })
    .where("subject_kind", "=", "user")
    .where("subject_id", "in", [id, email])
    .execute();
  // Their account's beginning tells its address.
  const beginning = await db
    .selectFrom("activity")
    .select(["id", "after_json"])
    .where("subject_kind", "=", "user")
    .where("subject_id", "=", id)
    .where("action", "=", "created")
    .executeTakeFirst();
  if (beginning) {
    const { email: _, ...others } = JSON.parse(beginning.after_json ?? "{}");
    await db
      .updateTable("activity")
      .set({ after_json: JSON.stringify(others) })
      .where("id", "=", beginning.id)
      .execute();
  }
  await db
    .updateTable("activity")
    .set({ after_json: JSON.stringify({ by: standIn }) })
    .where("action", "=", "password_link_made")
    .where("actor_kind", "=", "user")
    .where("actor_id", "=", id)
    .execute();
  // A name may be that of several: whose link it was is known by the one that was made last before.
  await db
    .updateTable("activity")
    .set({ after_json: JSON.stringify(byLinkOf(standIn)) })
    .where("action", "=", "password_changed")
    .where("after_json", "like", `${JSON.stringify(byLinkOf("")).slice(0, -2)}%`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("activity as link")
          .select("link.id")
          .where("link.actor_kind", "=", "user")
          .where("link.actor_id", "=", id)
          .where(({ eb }) =>
            eb(
              "link.id",
              "=",
              selectFrom("activity as before")
                .select(({ fn }) => fn.max("before.id").as("id"))
                .where("before.subject_kind", "=", "user")
                .whereRef("before.subject_id", "=", "activity.subject_id")
                .where("before.action", "=", "password_link_made")
                .whereRef("before.id", "<", "activity.id"),
            ),
          ),
      ),
    )
    .execute();
}

/** What is told of a password that was chosen by somebody's link. */
export function byLinkOf(maker: string) {
  return { by: `a link of ${maker}` };
}

const actorId = (actor: NonNullable<ActivityFilter["actor"]> | Actor): string =>
  actor.kind === "user" ? String(actor.userId) : actor.name;

const activityOf = (row: Selectable<ActivityTable>): Activity => ({
  id: row.id,
  at: row.at,
  version: row.version,
  actor:
    row.actor_kind === "user"
      ? { kind: "user", userId: Number(row.actor_id), name: row.actor_name }
      : { kind: row.actor_kind, name: row.actor_name },
  publisherId: row.publisher_id === null ? null : publisherId.parse(row.publisher_id),
  subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
  action: row.action,
  before: row.before_json === null ? null : JSON.parse(row.before_json),
  after: row.after_json === null ? null : JSON.parse(row.after_json),
});

const withoutOperatorsMembers = (activity: Activity): Activity => ({
  ...activity,
  before: activity.before && withoutMembers(activity.before),
  after: activity.after && withoutMembers(activity.after),
});

const withoutMembers = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !operatorsMembers.includes(name)));

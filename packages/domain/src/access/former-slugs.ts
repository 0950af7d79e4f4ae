import { actorIdOf, at, conflict, statement, type Transaction } from '../kernel/index.ts';

const DAY_MS = 24 * 3_600_000;

/** Things that have a slug, which clients, rules and tokens name them by. */
interface SluggedThings {
  /** For codes and people. */
  readonly thing: 'project' | 'environment';
  /** What they are in, by the columns in which each slug is that of one thing. */
  readonly within: readonly string[];
  readonly container: string;
  /** Whether whoever took a slug from a thing may give it to another one. */
  readonly isFreeToTaker: boolean;
  /** Whether the caller may give former slugs to others. */
  readonly mayGive: (tx: Transaction, slug: Slug) => Promise<boolean>;
  /** Who may, for people. */
  readonly giver: string;
  /** The period in which clients that use a former slug get no other thing, in days. */
  readonly reservedDays: number;
}

/** A slug of a thing. */
interface Slug {
  /** The values of `within`. */
  readonly place: readonly string[];
  readonly id: string;
  readonly slug: string;
}

export interface FormerSlugs {
  /** Call it when a thing loses a slug, by a change or by its deletion. */
  reserve(tx: Transaction, slug: Slug): Promise<void>;
  /**
   * Former slugs are given to the thing that had them, and to others by few. Call it after the thing has the slug in the database,
   * where a constraint or a lock serializes it with the one that loses it.
   *
   * @throws DomainError 400 `<thing>.slug_reserved`
   */
  requireUnreserved(tx: Transaction, slug: Slug): Promise<void>;
}

/** Of things in the table `former_<thing>_slugs`: whoever names one by a slug is to get no other one, when that is given up. */
export function formerSlugs(things: SluggedThings): FormerSlugs {
  const { thing, within, container, isFreeToTaker, mayGive, giver, reservedDays } = things;
  const [table, idColumn, taker] = [`former_${thing}_slugs`, `${thing}_id`, isFreeToTaker ? ['actor_id'] : []];
  const place = within.map((column, index) => `${column} = $${index + 1}`).join(' and ');
  const [slugAt, idAt, nowAt, fourth, fifth] = [1, 2, 3, 4, 5].map((index) => `$${within.length + index}`);
  const values = [...within.map((_, index) => `$${index + 1}`), slugAt, idAt, fourth, ...taker.map(() => fifth)];
  const changed = [idColumn, 'reserved_until', ...taker];
  const note = statement(
    `${thing}.note_former_slug`,
    `with expired as (delete from ${table} where ${place} and reserved_until <= ${nowAt} and slug <> ${slugAt})
     insert into ${table} (${[...within, 'slug', ...changed].join(', ')}) values (${values.join(', ')})
     on conflict (${[...within, 'slug'].join(', ')}) do update
       set ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  );
  const find = statement(
    `${thing}.reserved_slug`,
    `select reserved_until as "reservedUntil" from ${table}
     where ${place} and slug = ${slugAt} and ${idColumn} <> ${idAt} and reserved_until > ${nowAt}
       ${isFreeToTaker ? `and actor_id is distinct from ${fourth}` : ''}`,
  );
  const by = (tx: Transaction) => (isFreeToTaker ? [actorIdOf(tx.actor)] : []);
  return {
    async reserve(tx, { place: where, id, slug }) {
      const now = tx.now();
      const until = new Date(now.getTime() + reservedDays * DAY_MS);
      await tx.sql(note, [...where, slug, id, now, until, ...by(tx)]);
    },
    async requireUnreserved(tx, given) {
      const { place: where, id, slug } = given;
      const [reserved] = await tx.sql<{ reservedUntil: string }>(find, [...where, slug, id, tx.now(), ...by(tx)]);
      if (!reserved || tx.actor.type === 'platform' || (await mayGive(tx, given))) return;
      throw conflict(
        `${thing}.slug_reserved`,
        `Another ${thing} of the ${container} had the slug ${slug}, which is reserved until ${at(reserved.reservedUntil).toISOString()}: choose another slug, or ask ${giver}`,
      );
    },
  };
}

import { abilityIn, allowsAll, findInTurns, organizationOf } from '../../access/index.ts';
import { forbidden, statement, type Ability, type Transaction } from '../../kernel/index.ts';
import { fieldsOf, SHARED_FIELD_COLUMNS, SECRET_TABLES, type FieldRow, type SecretFields } from './row.ts';
import { readingPermissions } from './secret.ts';

/**
 * The shared secrets that the integrations of a project publish, per source folder: its contents, those of direct and
 * indirect imports, and of all references. A name with several candidates counts for each of them. Integrations of one
 * folder publish the same.
 */
const PUBLISHED = statement(
  'secrets.published',
  `with recursive reach (source, environment_id, path, key) as (
     select coalesce(i.folder_id, i.id), i.environment_id, coalesce(f.path, i.secret_path) collate "C", null::text collate "C"
     from secret_syncs i left join folders f on f.id = i.folder_id and not f.is_reserved
     where i.organization_id = $1 and i.project_id = $2 and i.is_active
     union
     select w.source, n.environment_id, n.path, n.key from reach w
     join folders f on f.environment_id = w.environment_id and f.path = w.path
     cross join lateral (
       select i.import_environment_id as environment_id, i.import_path collate "C" as path, w.key
       from secret_imports i where i.folder_id = f.id
       union all
       select e.id, r.path collate "C", r.key collate "C"
       from secrets o join secret_references r on r.secret_id = o.id
       join environments e on e.project_id = $2 and e.slug = r.environment
       where o.folder_id = f.id and o.user_id is null and (w.key is null or o.key = w.key)
     ) n
   )
   select distinct w.source, s.id from reach w join folders f on f.environment_id = w.environment_id and f.path = w.path
   join secrets s on s.folder_id = f.id and s.user_id is null and (w.key is null or s.key = w.key)`,
);

const OF_IDS = statement(
  'secrets.shared_of_ids',
  `select ${SHARED_FIELD_COLUMNS} from ${SECRET_TABLES} where s.organization_id = $1 and s.id = any($2::uuid[])`,
);

/** The secrets that a change writes. */
export class Written {
  readonly own = new Set<string>();
  readonly past = new Map<string, readonly SecretFields[]>();
  readonly #isAsked: boolean;

  /** @param isAsked Whether anybody will ask: there may be very many. */
  constructor(isAsked: boolean) {
    this.#isAsked = isAsked;
  }

  /** The caller has given the value of this one. */
  given(id: string): void {
    if (this.#isAsked) this.own.add(id);
  }

  /** This one has a former value, which is checked with its former fields. */
  restored(id: string, was: readonly SecretFields[]): void {
    if (this.#isAsked) this.past.set(id, was);
  }
}

/**
 * Runs a change after which integrations may publish more secrets: moves, renames, imports, references, restorations.
 * An integration reads as its actor, and its target has other readers; so the caller must be able to read everything
 * that it adds. What another integration publishes already is no exception: its target has other readers. `work` takes the lock of the project's names, unless it changes only imports.
 *
 * @throws DomainError 403 `secret.published` if an integration would then publish a secret that this integration
 * does not publish now, and that the caller may not read.
 */
export async function requireNotPublished<T>(
  tx: Transaction,
  projectId: string,
  work: (written: Written) => Promise<T>,
): Promise<T> {
  const ability = await abilityIn(tx, projectId);
  if (readingPermissions.every((permission) => allowsAll(ability, permission))) return work(new Written(false));
  const written = new Written(true);
  const before = await published(tx, projectId);
  const result = await work(written);
  const after = await published(tx, projectId);
  const added = [...after].flatMap(([id, sources]) => {
    const known = before.get(id);
    const isAdded = [...sources].some((source) => !known?.has(source));
    return isAdded && !written.own.has(id) ? [id] : [];
  });
  const rows = added.length > 0 ? await tx.sql<FieldRow>(OF_IDS, [organizationOf(tx), added]) : [];
  const restored = [...written.past].flatMap(([id, was]) => (after.has(id) ? was : []));
  if (await findInTurns([...rows.map(fieldsOf), ...restored], (fields) => !isRead(ability, fields)))
    throw forbidden(
      'secret.published',
      'After this change an integration would write secrets to another system that you may not read: ask a member with read access',
      { name: 'PermissionDenied' },
    );
  return result;
}

const isRead = (ability: Ability, fields: SecretFields): boolean =>
  readingPermissions.every((permission) => ability.can(permission, fields));

/** The published secrets, each with the sources of the integrations that publish it. */
async function published(tx: Transaction, projectId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const sourcesOf = new Map<string, Set<string>>();
  for (const { id, source } of await tx.sql<{ id: string; source: string }>(PUBLISHED, [
    organizationOf(tx),
    projectId,
  ])) {
    const sources = sourcesOf.get(id);
    if (sources) sources.add(source);
    else sourcesOf.set(id, new Set([source]));
  }
  return sourcesOf;
}

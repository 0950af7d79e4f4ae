import { abilityIn, organizationOf } from '../../../access/index.ts';
import { badRequest, statement, type Context, type KeySet } from '../../../kernel/index.ts';
import { coveredPath } from '../../coverage/index.ts';
import { importedTargets } from '../imported.ts';
import { fieldsOf, SHARED_COLUMNS, valueOf, type SecretFields, type SecretRow } from '../row.ts';
import { secretPermissions, type SecretReferenceError } from '../secret.ts';
import { failureOf, type Failure } from './failure.ts';
import { referencesIn, replaceReferences, targetKey, type Origin, type Reference, type Target } from './reference.ts';

/** How many references one value may go through; what lies deeper stays as it is written. */
const MAX_DEPTH = 10;

/**
 * How many references one answer may follow, and how many characters they may bring: a few short values that refer to
 * each other many times would otherwise fill the memory.
 */
const MAX_FOLLOWED = 200_000;
const MAX_BROUGHT = 32 * 1024 * 1024;

const FIND = statement(
  'secret.find_targets',
  `select ${SHARED_COLUMNS} from unnest($3::text[], $4::text[], $5::text[]) as w (environment, path, key)
   join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = w.environment
   join folders f on f.environment_id = e.id and f.path = w.path
   join secrets s on s.folder_id = f.id and s.key = w.key and s.user_id is null`,
);

/** The shared secrets at some places, as they are stored; nothing is asked of the caller's rights. */
export function findTargets(ctx: Context, projectId: string, targets: readonly Target[]): Promise<SecretRow[]> {
  return ctx.sql<SecretRow>(FIND, [
    organizationOf(ctx),
    projectId,
    targets.map((t) => t.environment),
    targets.map((t) => t.path),
    targets.map((t) => t.key),
  ]);
}

/** One hop of a value: where it came from, what stands there, and the hops of what it refers to. */
export interface Hop {
  key: string;
  environment: string;
  secretPath: string;
  /** The value as it is stored; absent where there is no such secret, or the reference closes a circle. */
  value?: string;
  /** Whether it came through an import of the folder that was named. */
  isImported: boolean;
  children: Hop[];
}

interface Known {
  readonly row: SecretRow;
  readonly value: string;
}

/**
 * Resolves the references of values, with the reader's own rights at every hop: level by level, however many values
 * there are. A reference to nothing becomes empty, and so does one that closes a circle. One whose secret the reader may
 * not read, or that is too deep, stays as it is written; where the reader may not read there, it is the same for a secret
 * that does not exist. All of these are reported with the value. More of them than an answer may follow are refused (400).
 */
export class Resolver {
  readonly #ctx: Context;
  readonly #projectId: string;
  readonly #keys: KeySet;
  readonly #known = new Map<string, Known | Failure>();
  #followed = 0;
  #brought = 0;

  constructor(ctx: Context, projectId: string, keys: KeySet) {
    this.#ctx = ctx;
    this.#projectId = projectId;
    this.#keys = keys;
  }

  /** Calls `use` with each row, its resolved value and what of it could not be resolved. */
  async resolve<T>(
    rows: readonly SecretRow[],
    use: (row: SecretRow, value: string, errors: readonly SecretReferenceError[]) => T,
  ): Promise<T[]> {
    const values = rows.map((row) => valueOf(this.#keys, row));
    await this.#load(rows.flatMap((row, index) => referencesIn(values[index]!, originOf(row))));
    return rows.map((row, index) => {
      // A personal value may refer to the shared one that it stands over.
      const errors = new Map<string, SecretReferenceError>();
      const trail = row.user_id === null ? [targetKey(targetOf(row))] : [];
      const value = this.#expand(values[index]!, targetOf(row), trail, errors);
      const shown = row.skip_multiline_encoding && value !== values[index] ? encodeLines(value) : value;
      return use(row, shown, [...errors.values()]);
    });
  }

  /** The tree of hops that a value is made of, without those that cannot be had. */
  async trace(row: SecretRow): Promise<Hop> {
    const value = valueOf(this.#keys, row);
    await this.#load(referencesIn(value, originOf(row)));
    return this.#hop(targetOf(row), { row, value }, []);
  }

  async #load(targets: readonly Target[]): Promise<void> {
    let wanted = targets;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const missing = [...new Map(wanted.map((target) => [targetKey(target), target]))]
        .filter(([key]) => !this.#known.has(key))
        .map(([, target]) => target);
      if (missing.length === 0) return;
      wanted = await this.#loadLevel(missing);
    }
  }

  /** Loads some targets and says what they in turn refer to. */
  async #loadLevel(targets: readonly Target[]): Promise<Target[]> {
    const ability = await abilityIn(this.#ctx, this.#projectId);
    const found = new Map(
      (await findTargets(this.#ctx, this.#projectId, targets)).map((row) => [targetKey(targetOf(row)), row]),
    );
    const absent = targets.filter((target) => !found.has(targetKey(target)));
    // As in lists: what an import brings that may not be read is not there.
    const isVisible = (row: SecretRow) => ability.can(secretPermissions.readValue, fieldsOf(row));
    const imported = await importedTargets(this.#ctx, this.#projectId, absent, isVisible);
    return targets.flatMap((target) => {
      const key = targetKey(target);
      const row = found.get(key) ?? imported.get(key);
      const fields = row ? fieldsOf(row) : fieldsOfNothing(target);
      const mayRead = ability.can(secretPermissions.readValue, fields);
      this.#known.set(key, mayRead ? 'missing' : 'unavailable');
      if (!row || !mayRead) return [];
      const value = valueOf(this.#keys, row);
      this.#known.set(key, { row, value });
      return referencesIn(value, originOf(row));
    });
  }

  #follow(value: string): void {
    this.#followed++;
    this.#brought += value.length;
    if (this.#followed > MAX_FOLLOWED || this.#brought > MAX_BROUGHT)
      throw badRequest('secret.too_many_references', 'The references in these values bring too much for one answer');
  }

  /** The value of `holder` with its references resolved; `errors` gets those that are not. */
  #expand(value: string, holder: Target, trail: readonly string[], errors: Map<string, SecretReferenceError>): string {
    const fail = (code: Failure, { text }: Reference): string | undefined => {
      errors.set(`${targetKey(holder)} ${text}`, failureOf(code, text, holder));
      return code === 'missing' || code === 'circular' ? '' : undefined;
    };
    return replaceReferences(value, holder, (target) => {
      if (trail.length > MAX_DEPTH) return fail('too-deep', target);
      const key = targetKey(target);
      if (trail.includes(key)) return fail('circular', target);
      const known = this.#known.get(key) ?? 'missing';
      if (typeof known === 'string') return fail(known, target);
      this.#follow(known.value);
      return this.#expand(known.value, targetOf(known.row), [...trail, key], errors);
    });
  }

  #hop(target: Target, known: Known | Failure | undefined, trail: readonly string[]): Hop {
    const key = targetKey(target);
    const place = { key: target.key, environment: target.environment, secretPath: coveredPath(target.path) };
    if (!known || typeof known === 'string' || trail.includes(key))
      return { ...place, isImported: false, children: [] };
    this.#follow(known.value);
    const children = trail.length >= MAX_DEPTH ? [] : referencesIn(known.value, originOf(known.row));
    return {
      ...place,
      value: known.value,
      isImported: targetKey(targetOf(known.row)) !== key,
      children: children.map((child) => this.#hop(child, this.#known.get(targetKey(child)), [...trail, key])),
    };
  }
}

/** What rules see of a secret that is not there. */
const fieldsOfNothing = ({ environment, path, key }: Target): SecretFields => ({
  environment,
  secretPath: coveredPath(path),
  secretName: key,
  secretTags: [],
});

export const originOf = (row: SecretRow): Origin => ({ environment: row.environment, path: row.path });
export const targetOf = (row: SecretRow): Target => ({ environment: row.environment, path: row.path, key: row.key });

/** What clients that write dotenv files expect of a multi-line value that asks for it: quoted, with `\n` for line breaks. */
const encodeLines = (value: string): string => (value.includes('\n') ? `"${value.replaceAll('\n', '\\n')}"` : value);

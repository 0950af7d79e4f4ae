import { isRemote } from '../../family/index.ts';
import { DomainError } from '../../kernel/index.ts';
import { foldName, type Difference, type Put } from './difference.ts';
import { canListAll, type ConfiguredSync, type DocumentStore, type Metadata, type SecretStore } from './sync.ts';

/** What was done at a target, and what was not. */
export class Outcome {
  readonly put: Put[] = [];
  readonly removed: string[] = [];
  /** The rejected items, by name, with the reason. */
  readonly rejected = new Map<string, string>();
  /** Why the rest was not even tried. */
  stopped: DomainError | undefined;

  get isWhole(): boolean {
    return this.rejected.size === 0 && this.stopped === undefined;
  }
}

/** A target for the engine, independent of its layout. */
export interface Session {
  /** At least the items with these names; all if `isWhole`, where the layout can list them. */
  list(names: readonly string[], isWhole?: boolean): Promise<ReadonlyMap<string, string | undefined>>;
  /** Also makes the tags of items those that are given. */
  carryOut(difference: Difference, tags?: ReadonlyMap<string, Metadata>): Promise<Outcome>;
}

/** Opens a target. @throws DomainError if the remote is unreachable, or rejects it. */
export async function openSession(configured: ConfiguredSync, client: unknown): Promise<Session> {
  const { layout } = configured;
  const store = await configured.open(client);
  return layout.as === 'secrets' ? ofSecrets(store as SecretStore, configured) : ofDocument(store as DocumentStore);
}

/** So many refusals in a row, and the rest is not tried: it is not about single secrets. */
const PATIENCE = 10;
/** An error of only one secret. All others end the sync: a slow remote is not called again. */
const isSingle = (error: DomainError): boolean => isRemote(error, 'rejected', 'malformed');

const ofSecrets = (store: SecretStore, configured: ConfiguredSync): Session => ({
  async list(names, isWhole = false) {
    const found = await store.list(names, { isWhole: isWhole && canListAll(configured) });
    return configured.sync.ignoresCase ? spelledAs(names, found) : found;
  },
  async carryOut({ puts, removals }, tags = new Map()) {
    const outcome = new Outcome();
    // Create before delete: a renamed secret is never missing.
    const tasks = [
      ...puts.map((put) => async () => {
        await named(put.name, store.put(put.name, put.value, put.exists));
        outcome.put.push(put);
      }),
      ...removals.map((name) => async () => {
        await named(name, store.remove(name));
        outcome.removed.push(name);
      }),
    ];
    await inTurns(tasks, outcome, configured.layout.limits.concurrency);
    const tagged = [...tags].filter(([name]) => !outcome.rejected.has(name));
    const taggings = tagged.map(
      ([name, metadata]) =>
        () =>
          named(name, store.tag!(name, metadata)),
    );
    await inTurns(taggings, outcome, configured.layout.limits.concurrency);
    return outcome;
  },
});

/** Does the tasks until one of them says that more are useless. */
async function inTurns(tasks: Iterable<() => Promise<void>>, outcome: Outcome, concurrency = 1): Promise<void> {
  const rest = tasks[Symbol.iterator]();
  let refusals = 0;
  const work = async () => {
    for (let next = rest.next(); !next.done && !outcome.stopped; next = rest.next()) {
      try {
        await next.value();
        refusals = 0;
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        if (isSingle(error.why)) outcome.rejected.set(error.secret, error.why.message);
        if (!isSingle(error.why) || ++refusals >= PATIENCE) outcome.stopped = error.why;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Items under the first of these names that is theirs but for case. */
function spelledAs<Value>(names: readonly string[], found: ReadonlyMap<string, Value>): Map<string, Value> {
  const spelling = new Map<string, string>();
  for (const name of names) {
    const folded = foldName(name, { ignoresCase: true });
    if (!spelling.has(folded)) spelling.set(folded, name);
  }
  return new Map(
    Array.from(found, ([name, value]) => [spelling.get(foldName(name, { ignoresCase: true })) ?? name, value]),
  );
}

class Failed extends Error {
  readonly secret: string;
  readonly why: DomainError;

  constructor(secret: string, why: DomainError) {
    super(why.message);
    this.secret = secret;
    this.why = why;
  }
}

async function named(secret: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof DomainError ? new Failed(secret, error) : error;
  }
}

function ofDocument(store: DocumentStore): Session {
  let whole: Readonly<Record<string, unknown>> = {};
  return {
    async list() {
      whole = await store.read();
      return new Map(
        Object.entries(whole).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
      );
    },
    async carryOut({ puts, removals }) {
      const outcome = new Outcome();
      if (puts.length + removals.length === 0) return outcome;
      const all = new Map(Object.entries(whole));
      for (const { name, value } of puts) all.set(name, value);
      for (const name of removals) all.delete(name);
      try {
        await store.write(Object.fromEntries(all));
        outcome.put.push(...puts);
        outcome.removed.push(...removals);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcome.stopped = error;
      }
      return outcome;
    },
  };
}

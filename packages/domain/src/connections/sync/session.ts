import { DomainError } from '../../kernel/index.ts';
import { foldName, type Difference, type Put } from './difference.ts';
import { canListAll, type ConfiguredSync, type DocumentStore, type Metadata, type SecretStore } from './sync.ts';
import { runTasks, type Task } from './tasks.ts';

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

const ofSecrets = (store: SecretStore, configured: ConfiguredSync): Session => ({
  async list(names, isWhole = false) {
    const found = await store.list(names, { isWhole: isWhole && canListAll(configured) });
    return configured.sync.ignoresCase ? spelledAs(names, found) : found;
  },
  async carryOut({ puts, removals }, tags = new Map()) {
    const outcome = new Outcome();
    const carry = async (tasks: readonly Task[]) => {
      if (outcome.stopped) return;
      const { rejected, stopped } = await runTasks(tasks, configured.layout.limits.concurrency);
      for (const [name, reason] of rejected) outcome.rejected.set(name, reason);
      outcome.stopped = stopped;
    };
    // Create before delete: a renamed secret is never missing.
    await carry([
      ...puts.map((put) => ({
        name: put.name,
        run: async () => {
          await store.put(put.name, put.value, put.exists);
          outcome.put.push(put);
        },
      })),
      ...removals.map((name) => ({
        name,
        run: async () => {
          await store.remove(name);
          outcome.removed.push(name);
        },
      })),
    ]);
    const tagged = [...tags].filter(([name]) => !outcome.rejected.has(name));
    await carry(tagged.map(([name, metadata]) => ({ name, run: () => store.tag!(name, metadata) })));
    return outcome;
  },
});

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

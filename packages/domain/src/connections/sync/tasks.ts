import { isRemote } from '../../family/index.ts';
import { DomainError } from '../../kernel/index.ts';

/** One change at a destination. */
export interface Task {
  /** What it changes, for people. */
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** What was not done. */
export interface Undone {
  /** What was rejected, by name, with the reason. */
  readonly rejected: Map<string, string>;
  /** Why the rest was not even tried. */
  stopped: DomainError | undefined;
}

/** So many refusals in a row, and the rest is not tried: it is not about single items. */
const PATIENCE = 10;
/** An error of only one item. All others end the work: a slow remote is not called again. */
const isSingle = (error: DomainError): boolean => isRemote(error, 'rejected', 'malformed');

/** Carries out changes, some at a time. What the destination rejects does not prevent the others. */
export async function runTasks(tasks: readonly Task[], concurrency = 1): Promise<Undone> {
  const undone: Undone = { rejected: new Map(), stopped: undefined };
  const waiting = tasks.values();
  let refusals = 0;
  const work = async () => {
    for (const { name, run } of waiting) {
      if (undone.stopped) return;
      try {
        await run();
        refusals = 0;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (isSingle(error)) undone.rejected.set(name, error.message);
        if (!isSingle(error) || ++refusals >= PATIENCE) undone.stopped = error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return undone;
}

import { forgetAll, forget, keep, recall } from '../../app/sealed-store.ts';
import { session, whenSignedOut } from '../../app/session.ts';
import { store, useStore, type Store } from '../../app/store.ts';

/** An edit that is not saved yet. */
export interface Draft {
  readonly environment: string;
  readonly secretPath: string;
  readonly secretKey: string;
  readonly kind: 'create' | 'update' | 'delete';
  readonly value?: string;
  readonly comment?: string;
  /** The version that was edited: saving fails if somebody else has written another one since. */
  readonly expectedVersion?: number | undefined;
}

export type Drafts = ReadonlyMap<string, Draft>;

type Place = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;

export const draftKey = ({ environment, secretPath, secretKey }: Place): string =>
  [environment, secretPath, secretKey].join('\n');

const NONE: Drafts = new Map();
const stores = new Map<string, Store<Drafts>>();

/** The drafts of a user in a project: in memory, and sealed in this browser, so that they survive a reload. */
function draftsOf(projectId: string): Store<Drafts> {
  const now = session.get();
  const name = `drafts ${now.state === 'signed-in' ? now.user.id : ''} ${projectId}`;
  const known = stores.get(name);
  if (known) return known;
  const made = store(NONE);
  stores.set(name, made);
  recall(name)
    .then((text) => {
      if (text !== undefined && made.get() === NONE) made.set(new Map(JSON.parse(text) as [string, Draft][]));
    })
    .catch(() => undefined)
    .finally(() => made.subscribe(() => persist(name, made.get())))
    .catch(() => undefined);
  return made;
}

let writing: Promise<void> = Promise.resolve();
function persist(name: string, drafts: Drafts): void {
  writing = writing
    .then(() => (drafts.size === 0 ? forget(name) : keep(name, JSON.stringify([...drafts]))))
    .catch(() => undefined);
}

whenSignedOut.add(() => {
  stores.clear();
  writing = writing.then(forgetAll).catch(() => undefined);
});

export const useDrafts = (projectId: string): Drafts => useStore(draftsOf(projectId));

/** Adds edits, or replaces those of the same secrets. */
export function stage(projectId: string, edits: readonly Draft[]): void {
  const drafts = draftsOf(projectId);
  const next = new Map(drafts.get());
  for (const edit of edits) next.set(draftKey(edit), edit);
  drafts.set(next);
}

/** Takes edits back; without names all of them. */
export function discard(projectId: string, places?: readonly Place[]): void {
  const drafts = draftsOf(projectId);
  const next = new Map(places ? drafts.get() : []);
  for (const place of places ?? []) next.delete(draftKey(place));
  drafts.set(next);
}

import type { Inputs } from '@coffer/client';
import { keep, recall } from '../../app/sealed-store.ts';
import { session, whenSignedOut } from '../../app/session.ts';
import { store, useStore, type Store } from '../../app/store.ts';

type Update = NonNullable<Inputs['secrets']['change']['changes'][number]['update']>[number];

/** What a secret has besides its value, as the API takes it. */
export type Details = Pick<
  Update,
  | 'newSecretName'
  | 'secretComment'
  | 'tagIds'
  | 'secretMetadata'
  | 'secretReminderNote'
  | 'secretReminderRepeatDays'
  | 'secretReminderRecipients'
>;

/** An edit that is not saved yet. */
export interface Draft {
  readonly environment: string;
  readonly secretPath: string;
  readonly secretKey: string;
  readonly kind: 'create' | 'update' | 'delete';
  readonly value?: string;
  readonly details?: Details;
  /** The version that was edited: saving fails if somebody else has written another one since. */
  readonly expectedVersion?: number | undefined;
}

export type Drafts = ReadonlyMap<string, Draft>;

type Place = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;
/** By their keys; `undefined` takes one back. */
type Changes = ReadonlyMap<string, Draft | undefined>;

interface Known {
  readonly drafts: Store<Drafts>;
  /** What has changed since the stored ones were asked for; `undefined` once they are here. */
  touched: Set<string> | undefined;
}

export const draftKey = ({ environment, secretPath, secretKey }: Place): string =>
  [environment, secretPath, secretKey].join('\n');

/** Whose drafts these are: until they sign out, or somebody else signs in. */
let owner = '';
const projects = new Map<string, Known>();
const ofOwner = (next: string) => {
  if (next === owner) return;
  owner = next;
  projects.clear();
};
function noteOwner(): void {
  const now = session.get();
  if ('user' in now) ofOwner(now.user.id);
}
noteOwner();
session.subscribe(noteOwner);
whenSignedOut.add(() => ofOwner(''));

/** The drafts of the user in a project: in memory, and sealed in this browser, so that they survive a reload. */
function draftsOf(projectId: string): Known {
  const known = projects.get(projectId);
  if (known) return known;
  const made: Known = { drafts: store<Drafts>(new Map()), touched: new Set() };
  projects.set(projectId, made);
  recall({ owner, group: projectId })
    .then((texts) => {
      const stored = texts.map((text) => JSON.parse(text) as Draft).filter((one) => !made.touched?.has(draftKey(one)));
      made.touched = undefined;
      if (stored.length > 0) apply(made, new Map(stored.map((one) => [draftKey(one), one])));
    })
    .catch(() => undefined);
  return made;
}

function apply(known: Known, changes: Changes): void {
  const next = new Map(known.drafts.get());
  for (const [key, draft] of changes) {
    known.touched?.add(key);
    if (draft) next.set(key, draft);
    else next.delete(key);
  }
  known.drafts.set(next);
}

/** What other tabs of the same user change. It passes between pages of this browser, and is stored nowhere. */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('coffer-drafts');
type Message = { readonly owner: string; readonly projectId: string; readonly changes: Changes };
tabs?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const known = data.owner === owner ? projects.get(data.projectId) : undefined;
  if (known) apply(known, data.changes);
});

/** Each draft is stored by itself: what another tab has stored stays. */
function change(projectId: string, changes: Changes): void {
  if (!owner || changes.size === 0) return;
  apply(draftsOf(projectId), changes);
  tabs?.postMessage({ owner, projectId, changes } satisfies Message);
  const texts = new Map([...changes].map(([key, draft]) => [key, draft && JSON.stringify(draft)]));
  keep({ owner, group: projectId }, texts);
}

export const useDrafts = (projectId: string): Drafts => useStore(draftsOf(projectId).drafts);

/** By folder, key, environment. */
export const byPlace = (one: Place, other: Place): number =>
  one.secretPath.localeCompare(other.secretPath) ||
  one.secretKey.localeCompare(other.secretKey) ||
  one.environment.localeCompare(other.environment);

/** Adds edits, or replaces those of the same secrets. */
export const stage = (projectId: string, edits: readonly Draft[]): void =>
  change(projectId, new Map(edits.map((edit) => [draftKey(edit), edit])));

/** Adds edits to those of the same secrets: what they leave as it is stays edited. */
export function amend(projectId: string, edits: readonly Draft[]): void {
  const now = draftsOf(projectId).drafts.get();
  stage(
    projectId,
    edits.map((edit) => joined(now.get(draftKey(edit)), edit)),
  );
}

function joined(before: Draft | undefined, edit: Draft): Draft {
  if (!before || before.kind === 'delete' || edit.kind === 'delete') return edit;
  const versions = [before.expectedVersion, edit.expectedVersion].filter((one) => one !== undefined);
  return {
    ...before,
    ...edit,
    ...(before.kind === 'create' && { kind: 'create' }),
    ...((before.details || edit.details) && { details: { ...before.details, ...edit.details } }),
    // The older one: what others have changed in between is not overwritten.
    expectedVersion: edit.kind === 'create' || versions.length === 0 ? undefined : Math.min(...versions),
  };
}

/** Takes edits back; without names all of them. */
export function discard(projectId: string, places?: readonly Place[]): void {
  const keys = places?.map(draftKey) ?? [...draftsOf(projectId).drafts.get().keys()];
  change(projectId, new Map(keys.map((key) => [key, undefined])));
}

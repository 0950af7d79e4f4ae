import type { Outputs } from '@coffer/client';
import { reveal } from '../../app/reveal.ts';
import { coffer } from '../../app/session.ts';
import { distinct, shortId } from '../../ui/short-id.ts';
import { wholeNameOf } from '../access/person.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Details = Outputs['secretApprovalRequests']['get']['approval'];
type Commit = Details['commits'][number];
type Side = NonNullable<Commit['before']>;

/** One field that differs. Values of secrets are not in it: `valueName` is by what they are shown for a moment. */
export interface Difference {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isValue: boolean;
}

/** A change of a request, without values. */
export type Change = Pick<
  Commit,
  'id' | 'kind' | 'op' | 'environment' | 'secretPath' | 'secretKey' | 'isFollowing' | 'secretValueHidden'
> & { readonly differences: readonly Difference[] };

const PLACES = 3;

/** Where the changes of a request are: `dev /, prod /app`. `count` is how many there are in all, if more than these. */
export function placesOf(
  changes: readonly { readonly environment: string; readonly secretPath: string | null }[],
  count = changes.length,
): string {
  const places = [
    ...new Set(changes.map(({ environment, secretPath }) => `${environment} ${secretPath ?? ''}`.trim())),
  ];
  const named = places.slice(0, PLACES).join(', ');
  return places.length > PLACES || changes.length < count ? texts.placesAndMore(named) : named;
}

export type Request = Omit<Details, 'commits'> & { readonly changes: readonly Change[] };

/** A change request with its differences, without values: what is cached holds none. */
export const requestQuery = (id: string) => ({
  queryKey: ['secretApprovalRequests', 'get', { id }] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Request> => {
    const { commits, ...request } = (
      await coffer.secretApprovalRequests.get.query({ id, viewSecretValue: false }, { signal })
    ).approval;
    return { ...request, changes: commits.map(toChange) };
  },
});

export const valueName = (changeId: string, side: 'before' | 'after'): string => `change:${changeId}:${side}`;

/** Reads the request again and shows its values for a moment. */
export async function revealValues(id: string): Promise<void> {
  const { approval } = await coffer.secretApprovalRequests.get.query({ id });
  for (const { id: changeId, before, after } of approval.commits) {
    if (before?.secretValue !== undefined) reveal(valueName(changeId, 'before'), before.secretValue);
    if (after?.secretValue !== undefined) reveal(valueName(changeId, 'after'), after.secretValue);
  }
}

const toChange = (commit: Commit): Change => {
  const { id, kind, op, environment, secretPath, secretKey, isFollowing, secretValueHidden } = commit;
  return {
    id,
    kind,
    op,
    environment,
    secretPath,
    secretKey,
    isFollowing,
    secretValueHidden,
    differences: differencesOf(commit),
  };
};

/** What a new or deleted thing has: a secret always a value, which is read when somebody wants to see it. */
const fieldsOf = (side: Partial<Side>): string[] => [
  ...('secretComment' in side && !('secretValue' in side) ? ['secretValue'] : []),
  ...Object.keys(side).filter((field) => !PLACE.has(field)),
];

function differencesOf({ op, before, after, changed, secretValueHidden }: Commit): Difference[] {
  const fields = op === 'update' ? changed : fieldsOf(after ?? before ?? {});
  return fields.flatMap((field): Difference[] => {
    if (field === 'secretValue')
      return [
        { field, before: before ? MASKED : undefined, after: after ? MASKED : undefined, isValue: !secretValueHidden },
      ];
    const [from, to] = [textOf(before, field), textOf(after, field)];
    return from === undefined && to === undefined ? [] : [{ field, before: from, after: to, isValue: false }];
  });
}

const PLACE: ReadonlySet<string> = new Set(['environment', 'secretPath', 'secretKey']);
const MASKED = '••••••••';

/** A field as text; nothing where it is empty. */
function textOf(side: Side | null, field: string): string | undefined {
  const given: unknown = side?.[field as keyof Side];
  if (field === 'tags') return side?.tags?.map(({ slug }) => slug).join(', ') || undefined;
  if (field === 'secretMetadata')
    return (
      side?.secretMetadata?.map(({ key, value, isEncrypted }) => `${key}=${isEncrypted ? MASKED : value}`).join('\n') ||
      undefined
    );
  if (given === undefined || given === null || given === '') return undefined;
  return typeof given === 'string' ? given : JSON.stringify(given);
}

const TITLES: Readonly<Record<string, string>> = {
  secretValue: words.value,
  secretComment: words.comment,
  secretKey: words.name,
  secretPath: words.folder,
  environment: words.environment,
  secretMetadata: words.metadata,
  metadata: texts.metadataLegacy,
  tags: words.tags,
  skipMultilineEncoding: texts.multiLineEncodingIsSkipped,
  secretReminderNote: texts.reminder,
  secretReminderRepeatDays: texts.reminderDays,
  secretReminderRecipients: texts.reminderRecipients,
  folders: texts.folders,
  position: words.position,
  isReplication: texts.replication,
};
export const titleOf = (field: string): string => TITLES[field] ?? field;

/** Who made a request. */
export const committerOf = ({ committerUser, committer }: Pick<Request, 'committerUser' | 'committer'>): string =>
  committerUser
    ? wholeNameOf(committerUser)
    : committer
      ? committer.type === 'identity'
        ? texts.machineName(distinct(committer.name, shortId(committer.id)))
        : committer.name
      : texts.replicationInText;

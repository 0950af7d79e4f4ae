import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Badge } from '../../ui/note.tsx';
import { draftKey, type Draft } from './drafts.ts';
import { texts } from './texts.ts';

interface BrokenReferencesProps {
  readonly projectId: string;
  /** A deletion. */
  readonly draft: Draft;
  /** All that is saved together: what goes too is not broken. */
  readonly drafts: readonly Draft[];
}

/** Warns of secrets that refer to one which is to be deleted, as far as the user may see them. */
export function BrokenReferences({ projectId, draft, drafts }: BrokenReferencesProps) {
  const { environment, secretPath, secretKey } = draft;
  const { data } = useQuery(
    ask('secrets', 'dependents', { projectId, environment, secretPath, secretName: secretKey }),
  );
  const going = new Set(drafts.filter(({ kind }) => kind === 'delete').map(draftKey));
  const broken = (data?.tree.children ?? []).filter(
    ({ key, ...at }) => !going.has(draftKey({ ...at, secretKey: key })),
  );
  if (broken.length === 0) return null;
  return (
    <span>
      <Badge kind="bad">{texts.breaksReferences(broken.length)}</Badge>{' '}
      {broken.map((one) => texts.keyAt(one.key, one.environment, one.secretPath)).join(', ')}
    </span>
  );
}

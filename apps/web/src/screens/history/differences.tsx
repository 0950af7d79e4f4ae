import { useEffect } from 'react';
import type { Outputs } from '@coffer/client';
import { hideAll, reveal, useRevealed } from '../../app/reveal.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Empty, Note } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';
import { toastError } from '../../ui/toast.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export type Differences = Outputs['history']['compare']['changes'];
type SecretDifference = Differences['secrets'][number];

const KINDS = {
  added: { kind: 'good', label: texts.new },
  changed: { kind: 'warn', label: texts.changed },
  removed: { kind: 'bad', label: texts.deleted },
} as const;
/** Lines that are shown: a restore may touch thousands. */
const SHOWN = 200;

const valueName = ({ secretId }: SecretDifference, side: 'before' | 'after'): string => `history:${secretId}:${side}`;

const FIELDS: Readonly<Record<string, string>> = {
  secretKey: texts.name,
  secretPath: texts.folder,
  secretValue: texts.value,
  secretComment: texts.comment,
  secretMetadata: texts.metadata,
  secretReminderNote: texts.reminder,
  secretReminderRepeatDays: texts.reminder,
  secretReminderRecipients: texts.reminder,
};

interface DifferencesTableProps {
  readonly of: Differences;
  /** Reads them once more, with values: the server records it. */
  readonly read: () => Promise<Differences>;
}

/** What differs, without values until they are asked for. */
export function DifferencesTable({ of, read }: DifferencesTableProps) {
  const { folders, secrets, hiddenCount } = of;
  // The same secret has other values in another difference.
  useEffect(() => hideAll, [of]);
  const show = () => {
    hideAll();
    read()
      .then((valued) => valued.secrets.forEach(revealSides))
      .catch(toastError);
  };
  if (folders.length + secrets.length + hiddenCount === 0) return <Empty>{texts.nothingDiffers}</Empty>;
  return (
    <>
      {folders.map(({ change, environment, folderId, before, after }) => (
        <p key={folderId}>
          <Badge kind={KINDS[change].kind}>{KINDS[change].label}</Badge>{' '}
          {texts.folderAt(environment, <code>{after?.path ?? before?.path}</code>)}
        </p>
      ))}
      {secrets.length > 0 && (
        <>
          <p>
            <Button onClick={show}>{texts.showValues}</Button>
          </p>
          <Table
            label={texts.differences}
            rows={secrets.slice(0, SHOWN)}
            keyOf={({ secretId, environment }) => `${environment} ${secretId}`}
            empty=""
            columns={[
              {
                title: words.what,
                cell: ({ change }) => <Badge kind={KINDS[change].kind}>{KINDS[change].label}</Badge>,
              },
              { title: words.secret, cell: (one) => <Name of={one} /> },
              {
                title: texts.fields,
                cell: ({ fields }) => [...new Set(fields.map((field) => FIELDS[field] ?? field))].join(', ') || '–',
              },
              { title: words.before, cell: (one) => <Side of={one} side="before" /> },
              { title: words.after, cell: (one) => <Side of={one} side="after" /> },
            ]}
          />
        </>
      )}
      {secrets.length > SHOWN && <p>{texts.andSecrets(secrets.length - SHOWN)}</p>}
      {hiddenCount > 0 && <Note kind="warn">{texts.differencesThatYouMayNotSee(hiddenCount)}</Note>}
    </>
  );
}

function Name({ of: { environment, before, after } }: { readonly of: SecretDifference }) {
  const now = after ?? before;
  const isRenamed = before && after && before.secretKey !== after.secretKey;
  return (
    <>
      {environment} {now?.secretPath}{' '}
      <code>{isRenamed ? `${before.secretKey} → ${after.secretKey}` : now?.secretKey}</code>
    </>
  );
}

function Side({ of: one, side }: { readonly of: SecretDifference; readonly side: 'before' | 'after' }) {
  const shown = useRevealed(valueName(one, side));
  if (!one[side]) return '–';
  return shown === undefined ? '••••••' : <code>{shown}</code>;
}

function revealSides(one: SecretDifference): void {
  for (const side of ['before', 'after'] as const) {
    const { secretValue, secretValueHidden } = one[side] ?? {};
    if (secretValue !== undefined) reveal(valueName(one, side), secretValueHidden ? texts.youMayNotRead : secretValue);
  }
}

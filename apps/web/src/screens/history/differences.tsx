import type { Outputs } from '@coffer/client';
import { hideAll, reveal, useRevealed } from '../../app/reveal.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { Badge, Empty, Note } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';
import { toastError } from '../../ui/toast.tsx';

export type Differences = Outputs['history']['compare']['changes'];
type SecretDifference = Differences['secrets'][number];

const KINDS = {
  added: { kind: 'good', label: 'new' },
  changed: { kind: 'warn', label: 'changed' },
  removed: { kind: 'bad', label: 'deleted' },
} as const;
/** Lines that are shown: a restore may touch thousands. */
const SHOWN = 200;

const valueName = ({ secretId }: SecretDifference, side: 'before' | 'after'): string => `history ${secretId} ${side}`;

const FIELDS: Readonly<Record<string, string>> = {
  secretKey: 'name',
  secretPath: 'folder',
  secretValue: 'value',
  secretComment: 'comment',
  secretMetadata: 'metadata',
  secretReminderNote: 'reminder',
  secretReminderRepeatDays: 'reminder',
  secretReminderRecipients: 'reminder',
};

interface DifferencesTableProps {
  readonly of: Differences;
  /** Reads them once more, with values: the server records it. */
  readonly read: () => Promise<Differences>;
}

/** What differs, without values until they are asked for. */
export function DifferencesTable({ of: { folders, secrets, hiddenCount }, read }: DifferencesTableProps) {
  const show = () => {
    hideAll();
    read()
      .then((valued) => valued.secrets.forEach(revealSides))
      .catch(toastError);
  };
  if (folders.length + secrets.length + hiddenCount === 0) return <Empty>Nothing differs.</Empty>;
  return (
    <>
      {folders.map(({ change, environment, folderId, before, after }) => (
        <p key={folderId}>
          <Badge kind={KINDS[change].kind}>{KINDS[change].label}</Badge> folder {environment}{' '}
          <code>{after?.path ?? before?.path}</code>
        </p>
      ))}
      {secrets.length > 0 && (
        <>
          <p>
            <Button onClick={show}>Show values</Button>
          </p>
          <Table
            label="Differences"
            rows={secrets.slice(0, SHOWN)}
            keyOf={({ secretId, environment }) => `${environment} ${secretId}`}
            empty=""
            columns={[
              {
                title: 'What',
                cell: ({ change }) => <Badge kind={KINDS[change].kind}>{KINDS[change].label}</Badge>,
              },
              { title: 'Secret', cell: (one) => <Name of={one} /> },
              {
                title: 'Fields',
                cell: ({ fields }) => [...new Set(fields.map((field) => FIELDS[field] ?? field))].join(', ') || '–',
              },
              { title: 'Before', cell: (one) => <Side of={one} side="before" /> },
              { title: 'After', cell: (one) => <Side of={one} side="after" /> },
            ]}
          />
        </>
      )}
      {secrets.length > SHOWN && <p>… and {count(secrets.length - SHOWN, 'more secret')}.</p>}
      {hiddenCount > 0 && <Note kind="warn">{count(hiddenCount, 'difference')} that you may not see.</Note>}
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
    if (secretValue !== undefined)
      reveal(valueName(one, side), secretValueHidden ? '(you may not read it)' : secretValue);
  }
}

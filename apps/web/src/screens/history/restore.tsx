import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask, useChange } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Queried } from '../../ui/query.tsx';
import { toast } from '../../ui/toast.tsx';
import type { HistoryPlace } from './compare.tsx';
import { DifferencesTable } from './differences.tsx';

interface RestoreProps {
  readonly place: HistoryPlace;
  /** A revision, or an instant. */
  readonly moment: string;
}

const isRevision = (moment: string): boolean => /^\d+$/.test(moment);

/** What a restore would change, before it is made. It is one commit, which can be taken back in the same way. */
export function RestoreDialog({ place, moment }: RestoreProps) {
  const [, go] = useAddress();
  const [message, setMessage] = useState('');
  const change = useChange('history', 'restore', ['history', 'secrets', 'folders']);
  const close = () => go({ restore: undefined });
  const input = { ...place, ...(isRevision(moment) ? { toRevision: Number(moment) } : { to: moment }) };
  const effect = useQuery(ask('history', 'compare', { ...input, viewSecretValue: false }));
  const read = async () => (await coffer.history.compare.query(input)).changes;
  const form = useForm(async () => {
    const answer = await change.mutateAsync({
      ...place,
      ...(isRevision(moment) ? { revision: Number(moment) } : { at: moment }),
      ...(message && { message }),
    });
    toast(
      'approval' in answer
        ? 'A change policy covers this: approval has been requested.'
        : `Restored: ${count(answer.restored.secrets.length, 'secret')} changed.`,
    );
    close();
  });
  const title = `Restore ${place.environment} ${place.secretPath} to ${isRevision(moment) ? `revision ${moment}` : new Date(moment).toLocaleString('en')}`;
  return (
    <Dialog title={title} look="wide" onClose={close}>
      <form onSubmit={form.submit}>
        <p>With all folders below it. This would change:</p>
        <Queried query={effect}>{({ changes }) => <DifferencesTable of={changes} read={read} />}</Queried>
        <TextField
          label="Message"
          hint="For the history; optional"
          maxLength={1000}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={close}>Cancel</Button>
          <Button kind="danger" type="submit" isBusy={form.isBusy} disabled={!effect.isSuccess}>
            Restore
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

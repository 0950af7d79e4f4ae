import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask, useChange } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Queried } from '../../ui/query.tsx';
import { toastOutcome } from '../../ui/requested.tsx';
import type { HistoryPlace } from './compare.tsx';
import { DifferencesTable } from './differences.tsx';
import { language } from '../../ui/language.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
    const restored = 'restored' in answer ? answer.restored : undefined;
    const done = restored && texts.restoredSecretsChanged(restored.secrets.length, restored.leftOut.length);
    toastOutcome(place.projectId, [answer], done);
    close();
  });
  const title = isRevision(moment)
    ? texts.restoreToRevision(place.environment, place.secretPath, moment)
    : texts.restoreTo(place.environment, place.secretPath, new Date(moment).toLocaleString(language));
  return (
    <Dialog title={title} look="wide" onClose={close}>
      <form onSubmit={form.submit}>
        <p>{texts.withAllFoldersBelow}</p>
        <Queried query={effect}>{({ changes }) => <DifferencesTable of={changes} read={read} />}</Queried>
        <TextField
          label={texts.message}
          hint={texts.forHistory}
          maxLength={1000}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={close}>{words.cancel}</Button>
          <Button kind="danger" type="submit" isBusy={form.isBusy} disabled={!effect.isSuccess}>
            {texts.restore}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

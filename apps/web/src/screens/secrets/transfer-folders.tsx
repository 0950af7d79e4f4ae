import { useId, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ask, queryClient } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { useSettled } from '../../app/settled.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { toastOutcome } from '../../ui/requested.tsx';
import { FolderUses } from './folder-uses.tsx';
import type { Overview } from './pages.ts';
import { childPath, type Place } from './place.ts';
import { TransferEffect } from './transfer-effect.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface TransferFoldersProps {
  readonly kind: 'copy' | 'move';
  readonly place: Place;
  readonly folders: Overview['folders'];
  readonly environments: Overview['environments'];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Copies or moves folders with all that is below them to another environment or folder, once its effect has been shown. */
export function TransferFolders({ kind, place, folders, environments, onClose, onDone }: TransferFoldersProps) {
  const { projectId, path } = place;
  const sources = environments.filter(
    ({ slug, may }) => folders.some((one) => one.environments.includes(slug)) && (kind === 'copy' || may.deleteFolders),
  );
  const [from, setFrom] = useState(sources[0]?.slug ?? '');
  const [to, setTo] = useState(environments.find(({ slug }) => slug !== from)?.slug ?? from);
  const [text, setText] = useState(path);
  const [shouldOverwrite, setOverwrite] = useState(false);
  const target = text.trim() || '/';
  const settled = useSettled(target);
  const names = folders.filter((one) => one.environments.includes(from)).map(({ name }) => name);
  const form = useForm(async () => {
    const input = {
      ...{ projectId, sourceEnvironment: from, sourceSecretPath: path, folderNames: names },
      ...{ destinationEnvironment: to, destinationSecretPath: target, shouldOverwrite },
    };
    const answer = await (kind === 'copy' ? coffer.folders.copy.mutate(input) : coffer.folders.move.mutate(input));
    await queryClient.invalidateQueries({ queryKey: ['secrets'] });
    await queryClient.invalidateQueries({ queryKey: ['folders'] });
    const done =
      kind === 'copy'
        ? texts.foldersCopiedTo(names.length, to, target)
        : texts.foldersMovedTo(names.length, to, target);
    toastOutcome(projectId, [answer], done);
    onClose();
    onDone();
  });
  const word = kind === 'copy' ? words.copy : texts.move;
  return (
    <Dialog title={`${word} ${names.join(', ')}`} look="wide" onClose={onClose}>
      <form onSubmit={form.submit}>
        <EnvironmentField label={texts.fromEnvironment} environments={sources} value={from} onChange={setFrom} />
        <EnvironmentField label={texts.toEnvironment} environments={environments} value={to} onChange={setTo} />
        <IntoFolder projectId={projectId} environment={to} value={text} onChange={setText} />
        {names.length > 0 && (
          <TransferEffect
            projectId={projectId}
            pairs={names.map((name) => ({
              from: { environment: from, secretPath: childPath(path, name) },
              to: { environment: to, secretPath: childPath(settled, name) },
            }))}
          />
        )}
        {kind === 'copy' ? (
          <p>{texts.dynamicSecretsRotationsAndSyncs}</p>
        ) : (
          <FolderUses
            projectId={projectId}
            places={names.map((name) => ({ environment: from, path: childPath(path, name) }))}
            of="move"
          />
        )}
        <CheckField
          label={texts.replaceSecretsThatExist}
          checked={shouldOverwrite}
          onChange={({ target: { checked } }) => setOverwrite(checked)}
        />
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={form.isBusy}
            disabled={names.length === 0 || (from === to && target === path)}
          >
            {word} {texts.folderCount(names.length)}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

interface IntoFolderProps {
  readonly projectId: string;
  readonly environment: string;
  readonly value: string;
  readonly onChange: (path: string) => void;
}

/** The path of a folder, offered from those that there are. */
function IntoFolder({ projectId, environment, value, onChange }: IntoFolderProps) {
  const listId = useId();
  const { data } = useQuery(ask('folders', 'list', { projectId, environment, path: '/', recursive: true }));
  return (
    <>
      <TextField
        label={texts.intoFolder}
        hint={texts.folderThatIsMissing}
        isMono
        required
        list={listId}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listId}>
        <option value="/" />
        {data?.folders.map(({ id, name, relativePath }) => (
          <option key={id} value={relativePath ?? `/${name}`} />
        ))}
      </datalist>
    </>
  );
}

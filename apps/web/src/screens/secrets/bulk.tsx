import { useState } from 'react';
import { queryClient } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { explain } from '../../ui/error.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Note } from '../../ui/note.tsx';
import { toastOutcome } from '../../ui/requested.tsx';
import { BulkTag } from './bulk-tag.tsx';
import { DeleteFolders } from './delete-folders.tsx';
import { stage, type Draft } from './drafts.ts';
import type { Overview } from './pages.ts';
import type { Place } from './place.ts';
import { selectedText, type Selected } from './selection.tsx';
import { TransferFolders } from './transfer-folders.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface BulkProps {
  readonly place: Place;
  readonly overview: Overview;
  readonly selected: Selected;
  readonly onDone: () => void;
}

/** What can be done with the selected keys. */
export function Bulk({ place, overview, selected, onDone }: BulkProps) {
  const [doing, setDoing] = useState<'copy' | 'move' | 'tag'>();
  const folders = [...selected.folders.values()];
  const rows = [...selected.keys.values()];
  const hasFolders = selected.folders.size > 0;
  const close = () => setDoing(undefined);
  const may = useProjectRights(place.projectId);
  const all = rows.flatMap((row) => row.environments);
  const isEach = (right: 'mayEdit' | 'mayDelete') => all.every((one) => one[right]);
  const deletable = deletableOf(folders, overview.environments);
  const remove = () => {
    const deletions = rows.flatMap(({ secretKey, environments }) =>
      environments.map(({ environment, version }): Draft => ({
        ...{ environment, secretPath: place.path, secretKey },
        ...{ kind: 'delete', expectedVersion: version },
      })),
    );
    stage(place.projectId, deletions);
    onDone();
  };
  return (
    <Note>
      {texts.selected(selectedText(selected))}{' '}
      {(all.length > 0 || hasFolders) && isEach('mayEdit') && may('secrets', 'edit') && (
        <Button onClick={() => setDoing('tag')}>{texts.tagThem}</Button>
      )}{' '}
      {hasFolders && rows.length === 0 && may('secret-folders', 'create') && (
        <>
          <Button onClick={() => setDoing('copy')}>{texts.copyTo}</Button>{' '}
          {deletable.length > 0 && <Button onClick={() => setDoing('move')}>{texts.moveTo}</Button>}{' '}
        </>
      )}
      {!hasFolders && may('secrets', 'create') && (
        <>
          <Button onClick={() => setDoing('copy')}>{texts.copyTo}</Button>{' '}
          {isEach('mayDelete') && <Button onClick={() => setDoing('move')}>{texts.moveTo}</Button>}{' '}
        </>
      )}
      {all.length > 0 && isEach('mayDelete') && (
        <Button kind="danger" onClick={remove}>
          {hasFolders ? texts.deleteKeysInAllEnvironments : texts.deleteInAllEnvironments}
        </Button>
      )}{' '}
      {deletable.length > 0 && <DeleteFolders place={place} folders={deletable} onDone={onDone} />}{' '}
      {hasFolders && rows.length > 0 && <>{texts.keysAndFoldersAreCopied} </>}
      <Button kind="quiet" onClick={onDone}>
        {texts.clear}
      </Button>
      {doing === 'tag' && <BulkTag place={place} selected={selected} onClose={close} onDone={onDone} />}
      {(doing === 'copy' || doing === 'move') && hasFolders && (
        <TransferFolders
          {...{ kind: doing, place, folders, onDone }}
          environments={overview.environments}
          onClose={close}
        />
      )}
      {(doing === 'copy' || doing === 'move') && !hasFolders && (
        <Transfer
          kind={doing}
          place={place}
          environments={overview.environments}
          rows={rows}
          onClose={close}
          onDone={onDone}
        />
      )}
    </Note>
  );
}

/** The folders in those environments in which they may be deleted. */
const deletableOf = (folders: Overview['folders'], environments: Overview['environments']): Overview['folders'] => {
  const slugs = new Set(environments.flatMap(({ slug, may }) => (may.deleteFolders ? slug : [])));
  return folders
    .map((one) => ({ ...one, environments: one.environments.filter((slug) => slugs.has(slug)) }))
    .filter((one) => one.environments.length > 0);
};

interface TransferProps {
  readonly kind: 'copy' | 'move';
  readonly place: Place;
  readonly environments: Overview['environments'];
  readonly rows: Overview['secrets'];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Transfer({ kind, place, environments, rows, onClose, onDone }: TransferProps) {
  const [from, setFrom] = useState(environments[0]?.slug ?? '');
  const [to, setTo] = useState(environments.at(-1)?.slug ?? '');
  const [path, setPath] = useState(place.path);
  const [shouldOverwrite, setOverwrite] = useState(false);
  const secretIds = rows.flatMap((row) => row.environments.find(({ environment }) => environment === from)?.id ?? []);
  const form = useForm(async () => {
    const input = {
      projectId: place.projectId,
      sourceEnvironment: from,
      sourceSecretPath: place.path,
      destinationEnvironment: to,
      destinationSecretPath: path,
      secretIds,
      shouldOverwrite,
    };
    const answer = await (kind === 'copy' ? coffer.secrets.duplicate.mutate(input) : coffer.secrets.move.mutate(input));
    await queryClient.invalidateQueries({ queryKey: ['secrets'] });
    const done = kind === 'copy' ? texts.secretsCopied : texts.secretsMoved;
    toastOutcome(place.projectId, [answer], done(secretIds.length));
    onClose();
    onDone();
  });
  return (
    <Dialog title={kind === 'copy' ? texts.copySecrets : texts.moveSecrets} onClose={onClose}>
      <form onSubmit={form.submit}>
        <EnvironmentField label={texts.fromEnvironment} environments={environments} value={from} onChange={setFrom} />
        <EnvironmentField label={texts.toEnvironment} environments={environments} value={to} onChange={setTo} />
        <TextField
          label={texts.toFolder}
          isMono
          required
          value={path}
          onChange={(event) => setPath(event.target.value)}
          error={form.error ? explain(form.error) : undefined}
        />
        <CheckField
          label={texts.replaceSecretsThatExist}
          checked={shouldOverwrite}
          onChange={({ target }) => setOverwrite(target.checked)}
        />
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={secretIds.length === 0}>
            {kind === 'copy' ? texts.copyCount(secretIds.length) : texts.moveCount(secretIds.length)}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

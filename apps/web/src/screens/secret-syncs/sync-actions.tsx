import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { FormButton, formEnd } from '../../ui/form-button.tsx';
import { placeParts } from '../../ui/offered.tsx';
import { isRunning } from '../../ui/run-state.ts';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import type { Entered } from '../../ui/schema-form/value.ts';
import { RemoveWritten, SyncNow } from '../../ui/sync-acts.tsx';
import { useSuggestions } from '../app-connections/lists.ts';
import { refOf, type SecretSync } from './sync.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** What can be done with a sync. One thing at a time. */
export function SyncActions({ of: sync, canImport }: { readonly of: SecretSync; readonly canImport: boolean }) {
  const { name, projectId } = sync;
  const may = useProjectRights(projectId);
  const start = useChange('secretSyncs', 'syncSecrets');
  const remove = useChange('secretSyncs', 'removeSecrets');
  const isDisabled = isRunning(sync);
  return (
    <>
      {may('secret-syncs', 'sync-secrets') && sync.syncStatus !== null && (
        <SyncNow name={name} isDisabled={isDisabled} run={() => start.mutateAsync(refOf(sync))} />
      )}
      {canImport && may('secret-syncs', 'import-secrets') && <Import of={sync} />}
      {may('secret-syncs', 'edit') && (
        <FormButton label={words.update} title={texts.updateName(name)}>
          {(close) => <UpdateSync of={sync} onClose={close} />}
        </FormButton>
      )}
      {may('secret-syncs', 'remove-secrets') && (
        <RemoveWritten
          name={name}
          isDisabled={isDisabled}
          run={() => remove.mutateAsync(refOf(sync))}
          stays={texts.folderStaysAsItIs}
        />
      )}
      {may('secret-syncs', 'delete') && <Delete of={sync} />}
    </>
  );
}

function Import({ of: sync }: { readonly of: SecretSync }) {
  const [behavior, setBehavior] = useState<'prioritize-source' | 'prioritize-destination'>('prioritize-source');
  const start = useChange('secretSyncs', 'importSecrets', ['secretSyncs', 'secrets']);
  return (
    <Act
      label={words.import}
      isDisabled={isRunning(sync)}
      run={() => start.mutateAsync({ ...refOf(sync), importBehavior: behavior })}
      done={texts.importByIsStarted(sync.name)}
      ask={{
        title: texts.importBy(sync.name),
        children: (
          <>
            <p>{texts.whatIsAtDestination}</p>
            <SelectField
              label={texts.whereBothHaveValue}
              value={behavior}
              onChange={(event) => setBehavior(event.target.value as typeof behavior)}
            >
              <option value="prioritize-source">{texts.keepOneOfFolder}</option>
              <option value="prioritize-destination">{texts.takeOneOfDestination}</option>
            </SelectField>
          </>
        ),
      }}
    />
  );
}

function Delete({ of: sync }: { readonly of: SecretSync }) {
  const [isThereToo, setThereToo] = useState(false);
  const remove = useChange('secretSyncs', 'delete', ['secretSyncs', 'appConnections']);
  const navigate = useNavigate();
  const { projectId, name } = sync;
  return (
    <Act
      label={words.delete}
      kind="danger"
      done={texts.syncIsDeleted(name)}
      run={async () => {
        await remove.mutateAsync({ ...refOf(sync), removeSecrets: isThereToo });
        await navigate({ to: '/projects/$projectId/secret-syncs', params: { projectId } });
      }}
      ask={{
        title: texts.deleteSync(name),
        children: (
          <CheckField
            label={texts.firstRemoveWhatItHasWritten}
            checked={isThereToo}
            onChange={(event) => setThereToo(event.target.checked)}
          />
        ),
      }}
    />
  );
}

function UpdateSync({ of: sync, onClose }: { readonly of: SecretSync; readonly onClose: () => void }) {
  const current = { ...sync, environment: sync.environment.slug, secretPath: sync.folder?.path };
  const [entered, setEntered] = useState<Entered>(current);
  const { destination, connection, id, name } = sync;
  return (
    <OperationForm
      area={areaOf(destination, 'Syncs')}
      procedure="update"
      like="create"
      given={{ syncId: id }}
      update={{ current, partial: ['syncOptions'] }}
      parts={useMemo(() => placeParts(connection.app), [connection.app])}
      suggestions={useSuggestions(destination, entered)}
      onEntered={setEntered}
      affects={['secretSyncs']}
      submit={words.save}
      {...formEnd(onClose, texts.isUpdated(name))}
    />
  );
}

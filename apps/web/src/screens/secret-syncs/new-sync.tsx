import type { Outputs } from '@coffer/client';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useProjectId } from '../../app/project.ts';
import { Creation } from '../../ui/creation.tsx';
import { placeParts } from '../../ui/offered.tsx';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import type { Entered } from '../../ui/schema-form/value.ts';
import { useSuggestions } from '../app-connections/lists.ts';
import { useDestinations, type Destination } from './sync.ts';
import { texts } from './texts.ts';

type Option = Outputs['secretSyncs']['options']['secretSyncOptions'][number];

export function NewSync() {
  const destinations = useDestinations();
  return (
    <Creation
      what={texts.secretSync}
      types={destinations}
      typeOf={({ destination, name, missingSetting }) => ({ id: destination, name, missingSetting })}
    >
      {(option, close) => <SyncForm option={option} onClose={close} />}
    </Creation>
  );
}

/** It writes nothing yet: what it would write is shown first. */
function SyncForm({ option, onClose }: { readonly option: Option; readonly onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [entered, setEntered] = useState<Entered>({});
  const destination = option.destination as Destination;
  return (
    <OperationForm
      area={areaOf(destination, 'Syncs')}
      procedure="create"
      given={{ projectId, isAutoSyncEnabled: false }}
      initial={{ secretPath: '/' }}
      parts={useMemo(() => placeParts(option.connection), [option.connection])}
      suggestions={useSuggestions(destination, entered)}
      onEntered={setEntered}
      affects={['secretSyncs']}
      submit={texts.createAndShowPlan}
      onCancel={onClose}
      onDone={({ secretSync: { id } }) =>
        void navigate({
          to: '/projects/$projectId/secret-syncs/$destination/$syncId',
          params: { projectId, destination, syncId: id },
        })
      }
    />
  );
}

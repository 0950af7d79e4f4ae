import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useProjectId } from '../../app/project.ts';
import { Creation } from '../../ui/creation.tsx';
import { placeParts } from '../../ui/offered.tsx';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import type { Entered } from '../../ui/schema-form/value.ts';
import { useSuggestions } from '../app-connections/lists.ts';
import { useRotationTypes, type RotationOption, type RotationType } from './rotation.ts';
import { texts } from './texts.ts';

const USUAL_DAYS = 30;

export function NewRotation() {
  const types = useRotationTypes();
  return (
    <Creation
      what={texts.rotation}
      types={types}
      typeOf={({ type, name, missingSetting }) => ({ id: type, name, missingSetting })}
    >
      {(option, close) => <RotationForm option={option} onClose={close} />}
    </Creation>
  );
}

function RotationForm({ option, onClose }: { readonly option: RotationOption; readonly onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [entered, setEntered] = useState<Entered>({});
  const type = option.type as RotationType;
  return (
    <OperationForm
      area={areaOf(type, 'Rotations')}
      procedure="create"
      given={{ projectId }}
      initial={{ secretPath: '/', rotationInterval: USUAL_DAYS, ...option.template }}
      parts={useMemo(() => placeParts(option.connection), [option.connection])}
      suggestions={useSuggestions(type, entered)}
      onEntered={setEntered}
      affects={['secretRotations', 'secrets']}
      submit={texts.createAndRotate}
      onCancel={onClose}
      onDone={({ secretRotation: { id } }) =>
        void navigate({
          to: '/projects/$projectId/secret-rotations/$type/$rotationId',
          params: { projectId, type, rotationId: id },
        })
      }
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { Detail, Facts, Part, Status } from '../../ui/detail.tsx';
import { Queried } from '../../ui/query.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { RotationActions } from './rotation-actions.tsx';
import { rotationState, useRotationTypes, type RotationType, type SecretRotation } from './rotation.ts';

/** One rotation: how the last attempt went, when the next one is, and what it writes. */
export function Screen() {
  const { type = '', rotationId = '' }: { type?: string; rotationId?: string } = useParams({ strict: false });
  const found = useQuery(ask('secretRotations', 'get', { rotationType: type as RotationType, rotationId }));
  return <Queried query={found}>{({ secretRotation }) => <Rotation of={secretRotation} />}</Queried>;
}

function Rotation({ of: rotation }: { readonly of: SecretRotation }) {
  const { projectId, name, type, environment, folder, connection } = rotation;
  const { data: types } = useRotationTypes();
  return (
    <Detail
      title={name}
      events={{ about: { rotationId: rotation.id } }}
      back={{ label: 'Secret rotations', to: '/projects/$projectId/secret-rotations', params: { projectId } }}
      actions={<RotationActions of={rotation} />}
    >
      <Part title="Rotations">
        <Facts
          of={[
            ['Last rotation', <Status key="last" {...rotationState(rotation)} />],
            ['Next', rotation.nextRotationAt ? <Time key="next" at={rotation.nextRotationAt} /> : 'On request'],
            [
              'Every',
              rotation.isAutoRotationEnabled && `${days(rotation.rotationInterval)} at ${timeOf(rotation)} UTC`,
            ],
          ]}
        />
      </Part>
      <Part title={types?.find((one) => one.type === type)?.name ?? type}>
        <Facts
          of={[
            ['Description', rotation.description],
            [
              'Folder',
              <Link
                key="folder"
                to="/projects/$projectId/secrets"
                params={{ projectId }}
                search={{ path: folder.path }}
              >
                {environment.name} {folder.path}
              </Link>,
            ],
            ['Connection', connection.name],
            ...Object.entries(rotation.parameters).map(([field, value]) => [labelOf(field), valueText(value)] as const),
            ...Object.entries(rotation.secretsMapping).map(
              ([field, secret]) =>
                [`Secret with the ${labelOf(field).toLowerCase()}`, <code key={field}>{secret}</code>] as const,
            ),
            ['Created', <Time key="created" at={rotation.createdAt} />],
          ]}
        />
      </Part>
    </Detail>
  );
}

const days = (count: number): string => (count === 1 ? 'day' : `${count} days`);

const timeOf = ({ rotateAtUtc: { hours, minutes } }: SecretRotation): string =>
  [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');

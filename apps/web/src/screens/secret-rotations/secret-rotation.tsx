import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { Detail, Facts, Part, Status } from '../../ui/detail.tsx';
import { Queried } from '../../ui/query.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { RotationActions } from './rotation-actions.tsx';
import { rotationState, useRotationTypes, type RotationType, type SecretRotation } from './rotation.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
      back={{ label: texts.secretRotations, to: '/projects/$projectId/secret-rotations', params: { projectId } }}
      actions={<RotationActions of={rotation} />}
    >
      <Part title={texts.rotations}>
        <Facts
          of={[
            [texts.lastRotation, <Status key="last" {...rotationState(rotation)} />],
            [words.next, rotation.nextRotationAt ? <Time key="next" at={rotation.nextRotationAt} /> : texts.onRequest],
            [
              texts.every,
              rotation.isAutoRotationEnabled && texts.atUtc(days(rotation.rotationInterval), timeOf(rotation)),
            ],
          ]}
        />
      </Part>
      <Part title={types?.find((one) => one.type === type)?.name ?? type}>
        <Facts
          of={[
            [words.description, rotation.description],
            [
              words.folder,
              <Link
                key="folder"
                to="/projects/$projectId/secrets"
                params={{ projectId }}
                search={{ path: folder.path }}
              >
                {environment.name} {folder.path}
              </Link>,
            ],
            [words.connection, connection.name],
            ...Object.entries(rotation.parameters).map(([field, value]) => [labelOf(field), valueText(value)] as const),
            ...Object.entries(rotation.secretsMapping).map(
              ([field, secret]) =>
                [texts.secretWith(labelOf(field).toLowerCase()), <code key={field}>{secret}</code>] as const,
            ),
            [words.created, <Time key="created" at={rotation.createdAt} />],
          ]}
        />
      </Part>
    </Detail>
  );
}

const days = (count: number): string => texts.days(count);

const timeOf = ({ rotateAtUtc: { hours, minutes } }: SecretRotation): string =>
  [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');

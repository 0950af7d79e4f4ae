import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Detail, Facts, Part, Status } from '../../ui/detail.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { Leases } from './leases.tsx';
import { secretState, usePlace, type Place, type ReadDynamicSecret } from './place.ts';
import { useProviderTitle } from './providers.ts';
import { UpdateDynamicSecret } from './update-dynamic-secret.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** One dynamic secret, and its leases. */
export function Screen() {
  const { name = '' }: { name?: string } = useParams({ strict: false });
  const { project, place } = usePlace();
  return <Queried query={project}>{() => place && <Loaded place={place} name={name} />}</Queried>;
}

function Loaded({ place, name }: { readonly place: Place; readonly name: string }) {
  const found = useQuery(ask('dynamicSecrets', 'get', { ...place, name }));
  return <Queried query={found}>{({ dynamicSecret }) => <DynamicSecret place={place} of={dynamicSecret} />}</Queried>;
}

function DynamicSecret({ place, of: secret }: { readonly place: Place; readonly of: ReadDynamicSecret }) {
  const { projectId } = usePlace();
  const may = useProjectRights(projectId);
  const titleOf = useProviderTitle();
  const [isUpdating, setUpdating] = useState(false);
  return (
    <Detail
      title={secret.name}
      events={{ about: { dynamicSecretId: secret.id } }}
      back={{
        label: texts.dynamicSecrets,
        to: '/projects/$projectId/dynamic-secrets',
        params: { projectId },
        search: { environment: place.environmentSlug, path: place.path },
      }}
      actions={
        <>
          {secret.inputs !== null && may('dynamic-secrets', 'edit-root-credential') && (
            <Button onClick={() => setUpdating(true)}>{words.update}</Button>
          )}
          {may('dynamic-secrets', 'delete-root-credential') && <Delete place={place} of={secret} />}
        </>
      }
    >
      <Leases place={place} of={secret} />
      <Part title={titleOf(secret.type)}>
        <Facts
          of={[
            [words.status, <Status key="status" {...secretState(secret)} />],
            [words.folder, `${place.environmentSlug} ${place.path}`],
            [texts.defaultTtl, secret.defaultTTL],
            [texts.maximumTtl, secret.maxTTL ?? texts.noMaximum],
            [texts.templateOfUserNames, secret.usernameTemplate],
            ...Object.entries(secret.inputs ?? {}).map(([field, value]) => [labelOf(field), valueText(value)] as const),
            [words.created, <Time key="created" at={secret.createdAt} />],
          ]}
        />
      </Part>
      {isUpdating && <UpdateDynamicSecret place={place} of={secret} onClose={() => setUpdating(false)} />}
    </Detail>
  );
}

function Delete({ place, of: { name } }: { readonly place: Place; readonly of: ReadDynamicSecret }) {
  const { projectId } = usePlace();
  const [isForced, setForced] = useState(false);
  const remove = useChange('dynamicSecrets', 'delete');
  const navigate = useNavigate();
  return (
    <Act
      label={words.delete}
      kind="danger"
      done={texts.isDeletedOnceItsLeases(name)}
      run={async () => {
        await remove.mutateAsync({ ...place, name, isForced });
        await navigate({
          to: '/projects/$projectId/dynamic-secrets',
          params: { projectId },
          search: { environment: place.environmentSlug, path: place.path },
        });
      }}
      ask={{
        title: texts.deleteDynamicSecret(name),
        children: (
          <>
            <p>{texts.itsLeasesAreRevoked}</p>
            <CheckField
              label={texts.deleteItEvenIfLeases}
              checked={isForced}
              onChange={(event) => setForced(event.target.checked)}
            />
          </>
        ),
      }}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, queryClient, useChange } from '../../app/ask.ts';
import { useProjectRights, useUserId } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Part, Status } from '../../ui/detail.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Queried } from '../../ui/query.tsx';
import { valueText } from '../../ui/schema-form/words.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { FAILED, leaseState, usePlace, type Lease, type Place, type ReadDynamicSecret } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface OfSecret {
  readonly place: Place;
  readonly of: ReadDynamicSecret;
}

/** What a lease gave, until its dialog is closed. */
type Shown = readonly (readonly [name: string, value: string])[];

/** The leases of a dynamic secret: who has which credentials until when. */
export function Leases({ place, of: secret }: OfSecret) {
  const { projectId } = usePlace();
  const may = useProjectRights(projectId);
  const leases = useQuery(ask('dynamicSecrets', 'leases', { ...place, name: secret.name }));
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<Shown>();
  const canLease = may('dynamic-secrets', 'lease');
  return (
    <Part title={texts.leases}>
      {canLease && (
        <p>
          <Button kind="primary" onClick={() => setCreating(true)}>
            {texts.newLease}
          </Button>
        </p>
      )}
      <Queried query={leases}>
        {({ leases: all }) => (
          <Table
            label={texts.leases}
            rows={all}
            keyOf={({ id }) => id}
            empty={texts.nobodyHasLeaseNow}
            columns={[
              { title: texts.externalId, cell: ({ externalEntityId }) => <code>{externalEntityId}</code> },
              { title: words.status, cell: (lease) => <Status {...leaseState(lease)} /> },
              { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: words.ends, cell: ({ expireAt }) => <Time at={expireAt} /> },
              { title: words.actions, cell: (lease) => <LeaseActions place={place} of={lease} /> },
            ]}
          />
        )}
      </Queried>
      {isCreating && (
        <NewLease
          place={place}
          of={secret}
          onClose={() => setCreating(false)}
          onDone={(data) => {
            setCreating(false);
            setShown(data);
          }}
        />
      )}
      {shown && (
        <ShownOnce
          title={texts.leaseOf(secret.name)}
          note={texts.theseAreShownOnce}
          values={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </Part>
  );
}

interface NewLeaseProps extends OfSecret {
  readonly onClose: () => void;
  readonly onDone: (data: Shown) => void;
}

function NewLease({ place, of: { name, type, defaultTTL, maxTTL }, onClose, onDone }: NewLeaseProps) {
  const [ttl, setTtl] = useState('');
  const [namespace, setNamespace] = useState('');
  const { submit, isBusy, error } = useForm(async () => {
    const { data } = await coffer.dynamicSecretLeases.create.mutate({
      ...place,
      dynamicSecretName: name,
      ...(ttl && { ttl }),
      ...(namespace && { config: { namespace } }),
    });
    await queryClient.invalidateQueries({ queryKey: ['dynamicSecrets'] });
    onDone(Object.entries(data).map(([field, value]) => [field, valueText(value) ?? ''] as const));
  });
  return (
    <Dialog title={texts.newLeaseOf(name)} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label={texts.ttl}
          hint={maxTTL ? texts.suchAs30M(defaultTTL, maxTTL) : texts.suchAs30MOr8(defaultTTL)}
          value={ttl}
          onChange={(event) => setTtl(event.target.value)}
        />
        {type === 'kubernetes' && (
          <TextField
            label={texts.namespace}
            hint={texts.oneOfNamespacesOfDynamic}
            value={namespace}
            onChange={(event) => setNamespace(event.target.value)}
          />
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {texts.createLease}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

function LeaseActions({ place, of: lease }: { readonly place: Place; readonly of: Lease }) {
  const { projectId } = usePlace();
  const may = useProjectRights(projectId);
  const userId = useUserId();
  // Who may have leases has their own; those of others take the right to edit the dynamic secret.
  const canEdit = may('dynamic-secrets', 'edit-root-credential');
  const isOwn = lease.createdBy?.type === 'user' && lease.createdBy.id === userId;
  if (!canEdit && !(isOwn && may('dynamic-secrets', 'lease'))) return null;
  return <Acts place={place} of={lease} canForce={canEdit} />;
}

interface ActsProps {
  readonly place: Place;
  readonly of: Lease;
  /** Whether a lease may be ended whose credentials cannot be revoked. */
  readonly canForce: boolean;
}

function Acts({ place, of: lease, canForce }: ActsProps) {
  const [isForced, setForced] = useState(false);
  const renew = useChange('dynamicSecretLeases', 'renew', ['dynamicSecrets']);
  const revoke = useChange('dynamicSecretLeases', 'revoke', ['dynamicSecrets']);
  const ref = { ...place, leaseId: lease.id };
  const { externalEntityId: name } = lease;
  return (
    <>
      {lease.status === null && (
        <Act label={texts.renew} run={() => renew.mutateAsync(ref)} done={texts.leaseOfEndsLater(name)} />
      )}{' '}
      <Act
        label={words.revoke}
        kind="danger"
        run={() => revoke.mutateAsync({ ...ref, isForced })}
        done={texts.leaseOfIsRevoked(name)}
        ask={{
          title: texts.revokeLeaseOf(name),
          children: (
            <>
              <p>{texts.itsCredentialsStopWorking}</p>
              {canForce && lease.status === FAILED && (
                <CheckField
                  label={texts.endLeaseHereEven}
                  checked={isForced}
                  onChange={(event) => setForced(event.target.checked)}
                />
              )}
            </>
          ),
        }}
      />
    </>
  );
}

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
    <Part title="Leases">
      {canLease && (
        <p>
          <Button kind="primary" onClick={() => setCreating(true)}>
            New lease
          </Button>
        </p>
      )}
      <Queried query={leases}>
        {({ leases: all }) => (
          <Table
            label="Leases"
            rows={all}
            keyOf={({ id }) => id}
            empty="Nobody has a lease now."
            columns={[
              { title: 'External ID', cell: ({ externalEntityId }) => <code>{externalEntityId}</code> },
              { title: 'Status', cell: (lease) => <Status {...leaseState(lease)} /> },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: 'Ends', cell: ({ expireAt }) => <Time at={expireAt} /> },
              { title: 'Actions', cell: (lease) => <LeaseActions place={place} of={lease} /> },
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
          title={`A lease of ${secret.name}`}
          note="These are shown once. They work until the lease ends or is revoked."
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
    <Dialog title={`New lease of ${name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="TTL"
          hint={`Such as 30m or 8h. Default: ${defaultTTL}${maxTTL ? `; at most ${maxTTL}` : ''}`}
          value={ttl}
          onChange={(event) => setTtl(event.target.value)}
        />
        {type === 'kubernetes' && (
          <TextField
            label="Namespace"
            hint="One of the namespaces of the dynamic secret. Default: the first"
            value={namespace}
            onChange={(event) => setNamespace(event.target.value)}
          />
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Create the lease
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
        <Act label="Renew" run={() => renew.mutateAsync(ref)} done={`The lease of ${name} ends later`} />
      )}{' '}
      <Act
        label="Revoke"
        kind="danger"
        run={() => revoke.mutateAsync({ ...ref, isForced })}
        done={`The lease of ${name} is revoked`}
        ask={{
          title: `Revoke the lease of ${name}?`,
          children: (
            <>
              <p>Its credentials stop working at once.</p>
              {canForce && lease.status === FAILED && (
                <CheckField
                  label="End the lease here even if that fails again; it is retried"
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

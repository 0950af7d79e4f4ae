import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, queryClient, useChange } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { TextField } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { CreateButton, CreatedOnce } from '../../ui/shown-once.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** The client secrets of Universal Auth. */
export function ClientSecrets({ identityId }: { readonly identityId: string }) {
  const secrets = useQuery(ask('universalAuth', 'listClientSecrets', { identityId }));
  const revoke = useChange('universalAuth', 'revokeClientSecret');
  const endOf = (createdAt: string, ttl: number) =>
    ttl === 0 ? undefined : new Date(Date.parse(createdAt) + ttl * 1000).toISOString();
  return (
    <>
      <Queried query={secrets}>
        {({ clientSecretData }) => (
          <Table
            label="Client secrets"
            rows={clientSecretData}
            keyOf={({ id }) => id}
            empty="There is no client secret: create one for each place that logs in."
            columns={[
              { title: 'Begins with', cell: ({ clientSecretPrefix }) => <code>{clientSecretPrefix}…</code> },
              { title: 'Description', cell: ({ description }) => description || '–' },
              {
                title: 'Logins',
                cell: ({ clientSecretNumUses, clientSecretNumUsesLimit }) =>
                  `${clientSecretNumUses}${clientSecretNumUsesLimit > 0 ? ` of ${clientSecretNumUsesLimit}` : ''}`,
              },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                title: 'Ends',
                cell: ({ createdAt, clientSecretTTL }) => <Time at={endOf(createdAt, clientSecretTTL)} />,
              },
              {
                title: 'Revoke',
                cell: ({ id, clientSecretPrefix }) => (
                  <Act
                    label="Revoke"
                    kind="danger"
                    run={() => revoke.mutateAsync({ identityId, clientSecretId: id })}
                    done="The client secret is revoked."
                    ask={{
                      title: `Revoke the client secret ${clientSecretPrefix}…?`,
                      children: <p>Whoever logs in with it cannot any more, and its tokens are revoked.</p>,
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Queried>
      <CreateButton label="Create a client secret">
        {(close) => <Create identityId={identityId} onClose={close} />}
      </CreateButton>
    </>
  );
}

const DAY = 86_400;

function Create({ identityId, onClose }: { readonly identityId: string; readonly onClose: () => void }) {
  const [description, setDescription] = useState('');
  const [days, setDays] = useState('90');
  const [uses, setUses] = useState('0');
  const create = async () => {
    const { clientSecret } = await coffer.universalAuth.createClientSecret.mutate({
      identityId,
      description,
      ttl: Math.round(Number(days) * DAY),
      numUsesLimit: Number(uses),
    });
    await queryClient.invalidateQueries({ queryKey: ['universalAuth'] });
    return clientSecret;
  };
  return (
    <CreatedOnce
      title="Create a client secret"
      name="Client secret"
      note="Give it to the program that logs in with it."
      create={create}
      onClose={onClose}
    >
      <TextField
        label="Description"
        autoFocus
        hint="Where it is used"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextField
        label="Valid for, in days"
        type="number"
        min={0}
        max={3650}
        hint="0: it does not end"
        required
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
      <TextField
        label="Number of logins"
        type="number"
        min={0}
        hint="0: without a limit"
        required
        value={uses}
        onChange={(event) => setUses(event.target.value)}
      />
    </CreatedOnce>
  );
}

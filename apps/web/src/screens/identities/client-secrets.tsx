import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, queryClient, useChange } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { TextField } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { CreateButton, CreatedOnce } from '../../ui/shown-once.tsx';
import { Table } from '../../ui/table.tsx';
import { secondsOfDays, Time } from '../../ui/time.tsx';
import type { MayOnIdentity } from './rights.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The client secrets of Universal Auth. */
export function ClientSecrets({ identityId, may }: { readonly identityId: string; readonly may: MayOnIdentity }) {
  const secrets = useQuery(ask('universalAuth', 'listClientSecrets', { identityId }));
  const revoke = useChange('universalAuth', 'revokeClientSecret');
  const endOf = (createdAt: string, ttl: number) =>
    ttl === 0 ? undefined : new Date(Date.parse(createdAt) + ttl * 1000).toISOString();
  return (
    <>
      <Queried query={secrets}>
        {({ clientSecretData }) => (
          <Table
            label={texts.clientSecrets}
            rows={clientSecretData}
            keyOf={({ id }) => id}
            empty={texts.thereIsNoClient}
            columns={[
              { title: texts.beginsWith, cell: ({ clientSecretPrefix }) => <code>{clientSecretPrefix}…</code> },
              { title: words.description, cell: ({ description }) => description || '–' },
              {
                title: texts.logins,
                cell: ({ clientSecretNumUses, clientSecretNumUsesLimit }) =>
                  clientSecretNumUsesLimit > 0
                    ? texts.usesOfLimit(clientSecretNumUses, clientSecretNumUsesLimit)
                    : clientSecretNumUses,
              },
              { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                title: words.ends,
                cell: ({ createdAt, clientSecretTTL }) => <Time at={endOf(createdAt, clientSecretTTL)} />,
              },
              {
                title: words.revoke,
                cell: ({ id, clientSecretPrefix }) =>
                  may('revokeClientSecret') && (
                    <Act
                      label={words.revoke}
                      kind="danger"
                      run={() => revoke.mutateAsync({ identityId, clientSecretId: id })}
                      done={texts.clientSecretIsRevoked}
                      ask={{
                        title: texts.revokeClientSecret(clientSecretPrefix),
                        children: <p>{texts.whoeverLogsInWithItCannot}</p>,
                      }}
                    />
                  ),
              },
            ]}
          />
        )}
      </Queried>
      {may('createClientSecret') && (
        <CreateButton label={texts.createClientSecret}>
          {(close) => <Create identityId={identityId} onClose={close} />}
        </CreateButton>
      )}
    </>
  );
}

function Create({ identityId, onClose }: { readonly identityId: string; readonly onClose: () => void }) {
  const [description, setDescription] = useState('');
  const [days, setDays] = useState('90');
  const [uses, setUses] = useState('0');
  const create = async () => {
    const { clientSecret } = await coffer.universalAuth.createClientSecret.mutate({
      identityId,
      description,
      ttl: secondsOfDays(days),
      numUsesLimit: Number(uses),
    });
    await queryClient.invalidateQueries({ queryKey: ['universalAuth'] });
    return clientSecret;
  };
  return (
    <CreatedOnce
      title={texts.createClientSecret}
      name={texts.clientSecret}
      note={texts.giveItToProgramThatLogs}
      create={create}
      onClose={onClose}
    >
      <TextField
        label={words.description}
        autoFocus
        hint={texts.whereItIsUsed}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextField
        label={texts.validForInDays}
        type="number"
        min={0}
        max={3650}
        hint={texts.zeroIsNoEnd}
        required
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
      <TextField
        label={texts.numberOfLogins}
        type="number"
        min={0}
        hint={texts.zeroIsNoLimit}
        required
        value={uses}
        onChange={(event) => setUses(event.target.value)}
      />
    </CreatedOnce>
  );
}

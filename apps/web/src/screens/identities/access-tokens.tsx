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

/** The access tokens of Token Auth. */
export function AccessTokens({ identityId }: { readonly identityId: string }) {
  const tokens = useQuery(ask('tokenAuth', 'listTokens', { identityId, limit: 100 }));
  const revoke = useChange('tokenAuth', 'revokeToken');
  return (
    <>
      <Queried query={tokens}>
        {({ tokens: all }) => (
          <Table
            label="Access tokens"
            rows={all.filter(({ isAccessTokenRevoked }) => !isAccessTokenRevoked)}
            keyOf={({ id }) => id}
            empty="There is no token: create one for each place that uses it."
            columns={[
              { title: 'Name', cell: ({ name }) => name ?? '–' },
              { title: 'Uses', cell: ({ accessTokenNumUses }) => accessTokenNumUses },
              { title: 'Last used', cell: ({ accessTokenLastUsedAt }) => <Time at={accessTokenLastUsedAt} /> },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                title: 'Revoke',
                cell: ({ id, name }) => (
                  <Act
                    label="Revoke"
                    kind="danger"
                    run={() => revoke.mutateAsync({ tokenId: id })}
                    done="The token is revoked."
                    ask={{
                      title: `Revoke the token ${name ?? ''}?`,
                      children: <p>Whoever uses it is refused from now on.</p>,
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Queried>
      <CreateButton label="Create a token">
        {(close) => <Create identityId={identityId} onClose={close} />}
      </CreateButton>
    </>
  );
}

function Create({ identityId, onClose }: { readonly identityId: string; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const create = async () => {
    const { accessToken } = await coffer.tokenAuth.createToken.mutate({ identityId, ...(name && { name }) });
    await queryClient.invalidateQueries({ queryKey: ['tokenAuth'] });
    return accessToken;
  };
  return (
    <CreatedOnce
      title="Create a token"
      name="Access token"
      note="Give it to the program that uses it."
      create={create}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        hint="Where it is used"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </CreatedOnce>
  );
}

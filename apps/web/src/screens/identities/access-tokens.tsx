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
import type { MayOnIdentity } from './rights.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The access tokens of Token Auth. */
export function AccessTokens({ identityId, may }: { readonly identityId: string; readonly may: MayOnIdentity }) {
  const tokens = useQuery(ask('tokenAuth', 'listTokens', { identityId, limit: 100 }));
  const revoke = useChange('tokenAuth', 'revokeToken');
  return (
    <>
      <Queried query={tokens}>
        {({ tokens: all }) => (
          <Table
            label={texts.accessTokens}
            rows={all.filter(({ isAccessTokenRevoked }) => !isAccessTokenRevoked)}
            keyOf={({ id }) => id}
            empty={texts.thereIsNoToken}
            columns={[
              { title: words.name, cell: ({ name }) => name ?? '–' },
              { title: texts.uses, cell: ({ accessTokenNumUses }) => accessTokenNumUses },
              { title: words.lastUsed, cell: ({ accessTokenLastUsedAt }) => <Time at={accessTokenLastUsedAt} /> },
              { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                title: words.revoke,
                cell: ({ id, name }) =>
                  may('revokeToken') && (
                    <Act
                      label={words.revoke}
                      kind="danger"
                      run={() => revoke.mutateAsync({ tokenId: id })}
                      done={texts.tokenIsRevoked}
                      ask={{
                        title: texts.revokeToken(name ?? ''),
                        children: <p>{texts.whoeverUsesItIsRefused}</p>,
                      }}
                    />
                  ),
              },
            ]}
          />
        )}
      </Queried>
      {may('createToken') && (
        <CreateButton label={texts.createToken}>
          {(close) => <Create identityId={identityId} onClose={close} />}
        </CreateButton>
      )}
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
      title={texts.createToken}
      name={words.accessToken}
      note={texts.giveItToProgram}
      create={create}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        autoFocus
        hint={texts.whereItIsUsed}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </CreatedOnce>
  );
}

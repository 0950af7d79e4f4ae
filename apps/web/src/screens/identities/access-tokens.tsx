import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ask, queryClient, useChange } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Queried } from '../../ui/query.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** The access tokens of Token Auth. */
export function AccessTokens({ identityId }: { readonly identityId: string }) {
  const tokens = useQuery(ask('tokenAuth', 'listTokens', { identityId, limit: 100 }));
  const revoke = useChange('tokenAuth', 'revokeToken');
  const [isCreating, setCreating] = useState(false);
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
      <p>
        <Button onClick={() => setCreating(true)}>
          <Plus size={16} aria-hidden /> Create a token
        </Button>
      </p>
      {isCreating && <Create identityId={identityId} onClose={() => setCreating(false)} />}
    </>
  );
}

function Create({ identityId, onClose }: { readonly identityId: string; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [token, setToken] = useState<string>();
  const form = useForm(async () => {
    const { accessToken } = await coffer.tokenAuth.createToken.mutate({ identityId, ...(name && { name }) });
    setToken(accessToken);
    await queryClient.invalidateQueries({ queryKey: ['tokenAuth'] });
  });
  if (token !== undefined)
    return (
      <ShownOnce
        title="Access token"
        note="It is shown now, and never again. Give it to the program that uses it."
        values={[['Access token', token]]}
        onClose={onClose}
      />
    );
  return (
    <Dialog title="Create a token" onClose={onClose}>
      <form onSubmit={form.submit}>
        <TextField
          label="Name"
          autoFocus
          hint="Where it is used"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            Create
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

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

/** Keys with which programs act as the user, in this organization. */
export function ApiKeys() {
  const keys = useQuery(ask('apiKeys', 'list', {}));
  const remove = useChange('apiKeys', 'delete');
  return (
    <>
      <p>A program with a key may do what you may do in this organization. For machines, identities are better.</p>
      <Queried query={keys}>
        {(all) => (
          <Table
            label="API keys"
            rows={all}
            keyOf={({ id }) => id}
            empty="There is no key in this organization."
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Last used', cell: ({ lastUsed }) => <Time at={lastUsed} /> },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              {
                title: 'Delete',
                cell: ({ id, name }) => (
                  <Act
                    label="Delete"
                    kind="danger"
                    run={() => remove.mutateAsync({ apiKeyDataId: id })}
                    done={`The API key ${name} is deleted`}
                    ask={{
                      title: `Delete the API key ${name}?`,
                      children: <p>Whoever uses it is refused from now on.</p>,
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Queried>
      <CreateButton label="Create an API key">{(close) => <Create onClose={close} />}</CreateButton>
    </>
  );
}

const DAY = 86_400;

function Create({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const create = async () => {
    const { apiKey } = await coffer.apiKeys.create.mutate({ name, expiresIn: Math.round(Number(days) * DAY) });
    await queryClient.invalidateQueries({ queryKey: ['apiKeys'] });
    return apiKey;
  };
  return (
    <CreatedOnce
      title="Create an API key"
      name="API key"
      note="Programs send it in the header X-API-Key."
      create={create}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        required
        maxLength={64}
        hint="Where it is used"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Valid for, in days"
        type="number"
        min={1}
        max={365}
        required
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
    </CreatedOnce>
  );
}

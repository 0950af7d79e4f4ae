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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Keys with which programs act as the user, in this organization. */
export function ApiKeys() {
  const keys = useQuery(ask('apiKeys', 'list', {}));
  const remove = useChange('apiKeys', 'delete');
  return (
    <>
      <p>{texts.programWithKeyMayDoWhatYou}</p>
      <Queried query={keys}>
        {(all) => (
          <Table
            label={texts.apiKeys}
            rows={all}
            keyOf={({ id }) => id}
            empty={texts.thereIsNoKey}
            columns={[
              { title: words.name, cell: ({ name }) => name },
              { title: words.lastUsed, cell: ({ lastUsed }) => <Time at={lastUsed} /> },
              { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: words.ends, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              {
                title: words.delete,
                cell: ({ id, name }) => (
                  <Act
                    label={words.delete}
                    kind="danger"
                    run={() => remove.mutateAsync({ apiKeyDataId: id })}
                    done={texts.apiKeyIsDeleted(name)}
                    ask={{
                      title: texts.deleteApiKey(name),
                      children: <p>{texts.whoeverUsesItIsRefused}</p>,
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Queried>
      <CreateButton label={texts.createApiKey}>{(close) => <Create onClose={close} />}</CreateButton>
    </>
  );
}

function Create({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const create = async () => {
    const { apiKey } = await coffer.apiKeys.create.mutate({ name, expiresIn: secondsOfDays(days) });
    await queryClient.invalidateQueries({ queryKey: ['apiKeys'] });
    return apiKey;
  };
  return (
    <CreatedOnce
      title={texts.createApiKey}
      name={texts.apiKey}
      note={texts.programsSendItInHeader}
      create={create}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        autoFocus
        required
        maxLength={64}
        hint={texts.whereItIsUsed}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={texts.validForInDays}
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

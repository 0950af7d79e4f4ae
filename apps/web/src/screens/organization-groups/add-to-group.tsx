import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { distinct, shortId } from '../../ui/short-id.ts';
import { toast } from '../../ui/toast.tsx';
import { nameOf, wholeNameOf } from '../access/person.ts';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface AddProps {
  readonly groupId: string;
  readonly onClose: () => void;
}

const MOST = 100;

/** Adds somebody to a group: a person, or a machine identity. */
export const AddToGroup = ({ kind, ...props }: AddProps & { readonly kind: 'users' | 'identities' }) =>
  kind === 'users' ? <AddUser {...props} /> : <AddIdentity {...props} />;

function AddUser({ groupId, onClose }: AddProps) {
  const [search, setSearch] = useState('');
  const [username, setUsername] = useState('');
  const { data } = useQuery(
    ask('groups', 'users', { id: groupId, filter: 'nonMembers', limit: MOST, ...(search && { search }) }),
  );
  const planned = usePlannedChange('groups', 'addUser');
  return (
    <Dialog title={texts.addPeople} onClose={onClose}>
      <PlannedForm
        planned={planned}
        input={username ? { id: groupId, username } : undefined}
        submit={words.add}
        onCancel={onClose}
        onDone={(user) => {
          toast(texts.isAdded(nameOf(user)));
          onClose();
        }}
      >
        <TextField label={words.search} value={search} onChange={(event) => setSearch(event.target.value)} />
        <SelectField
          label={texts.person}
          required
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        >
          <option value="">{texts.choosePerson}</option>
          {data?.users.map((user) => (
            <option key={user.id} value={user.username}>
              {wholeNameOf(user)}
            </option>
          ))}
        </SelectField>
      </PlannedForm>
    </Dialog>
  );
}

function AddIdentity({ groupId, onClose }: AddProps) {
  const [search, setSearch] = useState('');
  const [machineIdentityId, setIdentity] = useState('');
  const { data } = useQuery(
    ask('groups', 'identities', {
      id: groupId,
      filter: 'nonAssignedMachineIdentities',
      limit: MOST,
      ...(search && { search }),
    }),
  );
  const planned = usePlannedChange('groups', 'addIdentity');
  return (
    <Dialog title={texts.addMachines} onClose={onClose}>
      <PlannedForm
        planned={planned}
        input={machineIdentityId ? { id: groupId, machineIdentityId } : undefined}
        submit={words.add}
        onCancel={onClose}
        onDone={({ name }) => {
          toast(texts.isAdded(name));
          onClose();
        }}
      >
        <TextField label={words.search} value={search} onChange={(event) => setSearch(event.target.value)} />
        <SelectField
          label={words.machineIdentity}
          required
          value={machineIdentityId}
          onChange={(event) => setIdentity(event.target.value)}
        >
          <option value="">{texts.chooseMachineIdentity}</option>
          {data?.machineIdentities.map(({ id, name }) => (
            <option key={id} value={id}>
              {distinct(name, shortId(id))}
            </option>
          ))}
        </SelectField>
      </PlannedForm>
    </Dialog>
  );
}

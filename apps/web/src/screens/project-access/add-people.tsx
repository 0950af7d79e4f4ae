import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useOrganizationId } from '../../app/rights.ts';
import { Choose } from '../../ui/choose.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { addressOf, nameOf } from '../access/person.ts';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useProjectRoles } from '../access/project-roles.ts';

/** Adds users of the organization to a project. */
export function AddPeople({ projectId, onClose }: { readonly projectId: string; readonly onClose: () => void }) {
  const organizationId = useOrganizationId();
  const users = useQuery(ask('organizationMembers', 'list', { organizationId }));
  const members = useQuery(ask('projectMembers', 'list', { projectId }));
  const known = useProjectRoles(projectId);
  const planned = usePlannedChange('projectMembers', 'add');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [role, setRole] = useState('member');
  const present = new Set(members.data?.memberships.map(({ userId }) => userId));
  const options = (users.data?.users ?? [])
    .filter(({ user }) => !present.has(user.id))
    .map(({ user }) => ({ id: user.username, label: nameOf(user), detail: addressOf(user) }));
  return (
    <Dialog title="Add people" onClose={onClose}>
      <PlannedForm
        planned={planned}
        input={chosen.length > 0 ? { projectId, usernames: [...chosen], roleSlugs: [role] } : undefined}
        submit="Add"
        onCancel={onClose}
        onDone={({ memberships }) => {
          toast(memberships.length === 1 ? 'One person is added.' : `${memberships.length} people are added.`);
          onClose();
        }}
      >
        {users.isError ? (
          <TextField
            label="User names, separated by commas"
            hint="You may not list the users of the organization: ask those whom you add for their e-mail address."
            onChange={(event) =>
              setChosen(
                event.target.value
                  .split(/[\s,;]+/)
                  .map((one) => one.trim())
                  .filter(Boolean),
              )
            }
          />
        ) : (
          <Choose
            label="Users of the organization"
            options={options}
            chosen={chosen}
            onChange={setChosen}
            empty="All users of the organization are members already: invite others to the organization first."
          />
        )}
        <SelectField
          label="Role"
          hint="Further roles, and ends, can be set afterwards."
          value={role}
          onChange={(event) => setRole(event.target.value)}
        >
          {known.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </SelectField>
      </PlannedForm>
    </Dialog>
  );
}

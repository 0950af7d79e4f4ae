import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useOrganizationId } from '../../app/rights.ts';
import { Choose } from '../../ui/choose.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { addressBeside, nameOf } from '../access/person.ts';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useProjectRoles } from '../access/project-roles.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
    .map(({ user }) => ({ id: user.username, label: nameOf(user), detail: addressBeside(user) }));
  return (
    <Dialog title={texts.addPeople} onClose={onClose}>
      <PlannedForm
        planned={planned}
        input={chosen.length > 0 ? { projectId, usernames: [...chosen], roleSlugs: [role] } : undefined}
        submit={words.add}
        onCancel={onClose}
        onDone={({ memberships }) => {
          toast(texts.peopleAreAdded(memberships.length));
          onClose();
        }}
      >
        {users.isError ? (
          <TextField
            label={texts.userNamesSeparatedByCommas}
            hint={texts.youMayNotListUsers}
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
            label={texts.usersOfOrganization}
            options={options}
            chosen={chosen}
            onChange={setChosen}
            empty={texts.allUsersOfOrganization}
          />
        )}
        <SelectField
          label={words.role}
          hint={texts.furtherRolesAndEnds}
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

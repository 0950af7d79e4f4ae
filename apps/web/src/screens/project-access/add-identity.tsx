import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useOrganizationId } from '../../app/rights.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { distinct, shortId } from '../../ui/short-id.ts';
import { toast } from '../../ui/toast.tsx';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useProjectRoles } from '../access/project-roles.ts';
import { RoleFields, toRoles, type RoleChoice } from '../access/roles.tsx';
import { FOREVER } from '../access/window.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface AddProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

/** Creates a machine identity for a project, or adds one of the organization. */
export function AddIdentity({ projectId, onClose }: AddProps) {
  const [isNew, setNew] = useState(true);
  const [choices, setChoices] = useState<readonly RoleChoice[]>([{ slug: 'viewer', window: FOREVER }]);
  const Form = isNew ? Create : AddExisting;
  return (
    <Dialog title={texts.addMachineIdentity} onClose={onClose}>
      <SelectField
        label={texts.whichOne}
        value={isNew ? 'new' : 'existing'}
        onChange={(event) => setNew(event.target.value === 'new')}
      >
        <option value="new">{texts.newOneOfThisProject}</option>
        <option value="existing">{texts.oneOfOrganization}</option>
      </SelectField>
      <Form projectId={projectId} onClose={onClose} choices={choices} setChoices={setChoices} />
    </Dialog>
  );
}

interface FormProps extends AddProps {
  readonly choices: readonly RoleChoice[];
  readonly setChoices: (choices: readonly RoleChoice[]) => void;
}

function Create({ projectId, onClose, choices, setChoices }: FormProps) {
  const [name, setName] = useState('');
  const [now] = useState(() => new Date().toISOString());
  const known = useProjectRoles(projectId);
  const planned = usePlannedChange('projectOwnedIdentities', 'create', {
    affects: ['projectOwnedIdentities', 'projectIdentities'],
  });
  const navigate = useNavigate();
  const roles = toRoles(choices, now);
  return (
    <PlannedForm
      planned={planned}
      input={name.trim() && roles ? { projectId, name: name.trim(), roles } : undefined}
      submit={words.create}
      onCancel={onClose}
      onDone={({ identity }) => {
        toast(texts.isCreated(identity.name));
        onClose();
        navigate({
          to: '/organization/identities/$identityId',
          params: { identityId: identity.id },
        }).catch(() => undefined);
      }}
    >
      <TextField
        label={words.name}
        required
        autoFocus
        maxLength={255}
        hint={texts.afterWhatUsesIt}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <RoleFields known={known} value={choices} onChange={setChoices} />
    </PlannedForm>
  );
}

function AddExisting({ projectId, onClose, choices, setChoices }: FormProps) {
  const orgId = useOrganizationId();
  const [identityId, setIdentityId] = useState('');
  const [search, setSearch] = useState('');
  const [now] = useState(() => new Date().toISOString());
  const found = useQuery(ask('identities', 'listMemberships', { orgId, limit: 100, ...(search && { search }) }));
  const present = useQuery(ask('projectIdentities', 'list', { projectId }));
  const known = useProjectRoles(projectId);
  const planned = usePlannedChange('projectIdentities', 'add');
  const inProject = new Set(present.data?.identityMemberships.map((one) => one.identityId));
  const free = found.data?.identityMemberships.filter(({ identity }) => !inProject.has(identity.id)) ?? [];
  const roles = toRoles(choices, now);
  return (
    <PlannedForm
      planned={planned}
      input={identityId && roles ? { projectId, identityId, roles } : undefined}
      submit={words.add}
      onCancel={onClose}
      onDone={() => {
        toast(texts.machineIdentityIsAdded);
        onClose();
      }}
    >
      {(found.data?.totalCount ?? 0) > 100 && (
        <TextField label={words.search} value={search} onChange={(event) => setSearch(event.target.value)} />
      )}
      <SelectField
        label={words.machineIdentity}
        required
        hint={found.isError ? texts.youMayNotList : undefined}
        value={identityId}
        onChange={(event) => setIdentityId(event.target.value)}
      >
        <option value="">{texts.chooseOneOfOrganization}</option>
        {free.map(({ identity }) => (
          <option key={identity.id} value={identity.id}>
            {distinct(identity.name, [shortId(identity.id), ...identity.authMethods].join(', '))}
          </option>
        ))}
      </SelectField>
      <RoleFields known={known} value={choices} onChange={setChoices} />
    </PlannedForm>
  );
}

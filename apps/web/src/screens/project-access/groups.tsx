import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { toast } from '../../ui/toast.tsx';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useProjectRoles } from '../access/project-roles.ts';
import { RoleFields, toRoles, type RoleChoice } from '../access/roles.tsx';
import { FOREVER } from '../access/window.ts';
import { MemberPanel } from './member-panel.tsx';
import { Memberships } from './memberships.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type GroupMembership = Outputs['projectGroups']['list']['groupMemberships'][number];

export function Groups({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  return (
    <Memberships
      projectId={projectId}
      query={useQuery({
        ...ask('projectGroups', 'list', { projectId }),
        select: ({ groupMemberships }) => groupMemberships,
      })}
      label={words.groups}
      empty={texts.noGroupIsInThisProject}
      nameOf={({ group }) => group.name}
      who={[{ title: words.name, cell: ({ group }) => group.name }]}
      since={texts.inProjectSince}
      add={
        may('groups', 'create') && {
          label: texts.addGroup,
          dialog: (close) => <AddGroup projectId={projectId} onClose={close} />,
        }
      }
      details={(membership, close) => <OneGroup projectId={projectId} membership={membership} onClose={close} />}
    />
  );
}

function OneGroup({
  projectId,
  membership: { groupId, group, roles },
  onClose,
}: {
  readonly projectId: string;
  readonly membership: GroupMembership;
  readonly onClose: () => void;
}) {
  const may = useProjectRights(projectId);
  const update = usePlannedChange('projectGroups', 'update');
  const remove = usePlannedChange('projectGroups', 'remove');
  return (
    <MemberPanel
      projectId={projectId}
      title={group.name}
      about={{ groupId }}
      lead={texts.itsRolesAreThoseOfAllOfIts}
      roles={roles}
      update={may('groups', 'edit') ? update : undefined}
      toInput={(next) => ({ projectId, groupId, roles: next })}
      remove={may('groups', 'delete') ? remove : undefined}
      removed={{ projectId, groupId }}
      onClose={onClose}
    />
  );
}

function AddGroup({ projectId, onClose }: { readonly projectId: string; readonly onClose: () => void }) {
  const all = useQuery(ask('groups', 'list', {}));
  const present = useQuery(ask('projectGroups', 'list', { projectId }));
  const known = useProjectRoles(projectId);
  const planned = usePlannedChange('projectGroups', 'add');
  const [groupId, setGroupId] = useState('');
  const [choices, setChoices] = useState<readonly RoleChoice[]>([{ slug: 'member', window: FOREVER }]);
  const [now] = useState(() => new Date().toISOString());
  const inProject = new Set(present.data?.groupMemberships.map((one) => one.groupId));
  const roles = toRoles(choices, now);
  return (
    <Dialog title={texts.addGroup} onClose={onClose}>
      <Queried query={all}>
        {(groups) => (
          <PlannedForm
            planned={planned}
            input={groupId && roles ? { projectId, groupId, roles } : undefined}
            submit={words.add}
            onCancel={onClose}
            onDone={() => {
              toast(texts.groupIsAdded);
              onClose();
            }}
          >
            <SelectField
              label={texts.group}
              required
              value={groupId}
              onChange={(event) => setGroupId(event.target.value)}
            >
              <option value="">{texts.chooseGroupOfOrganization}</option>
              {groups
                .filter(({ id }) => !inProject.has(id))
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </SelectField>
            <RoleFields known={known} value={choices} onChange={setChoices} />
          </PlannedForm>
        )}
      </Queried>
    </Dialog>
  );
}

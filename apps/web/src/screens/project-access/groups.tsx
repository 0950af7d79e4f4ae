import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import access from '../access/access.module.css';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useProjectRoles } from '../access/project-roles.ts';
import { RoleFields, Roles, toRoles, type RoleChoice } from '../access/roles.tsx';
import { FOREVER } from '../access/window.ts';
import { MemberPanel } from './member-panel.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type GroupMembership = Outputs['projectGroups']['list']['groupMemberships'][number];

export function Groups({ projectId }: { readonly projectId: string }) {
  const groups = useQuery(ask('projectGroups', 'list', { projectId }));
  const may = useProjectRights(projectId);
  const [{ member: opened }, go] = useAddress();
  const [isAdding, setAdding] = useState(false);
  const known = useProjectRoles(projectId);
  return (
    <>
      <div className={access['tools']}>
        <span />
        {may('groups', 'create') && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            <Plus size={16} aria-hidden /> {texts.addGroup}
          </Button>
        )}
      </div>
      <Queried query={groups}>
        {({ groupMemberships }) => {
          const shown = groupMemberships.find(({ id }) => id === opened);
          return (
            <>
              <Table
                label={words.groups}
                rows={groupMemberships}
                keyOf={({ id }) => id}
                empty={texts.noGroupIsInThisProject}
                columns={[
                  { title: words.name, cell: ({ group }) => group.name },
                  { title: words.roles, cell: ({ roles }) => <Roles roles={roles} known={known} /> },
                  { title: texts.inProjectSince, cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: words.details,
                    cell: ({ id, group }) => (
                      <Button kind="quiet" onClick={() => go({ member: id })} aria-label={texts.openName(group.name)}>
                        {words.open}
                      </Button>
                    ),
                  },
                ]}
              />
              {shown && <OneGroup projectId={projectId} membership={shown} onClose={() => go({ member: undefined })} />}
            </>
          );
        }}
      </Queried>
      {isAdding && <AddGroup projectId={projectId} onClose={() => setAdding(false)} />}
    </>
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

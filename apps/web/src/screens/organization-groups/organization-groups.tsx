import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useOrganizationRoles } from '../access/project-roles.ts';
import { GroupForm } from './group-form.tsx';
import { GroupPanel } from './group-panel.tsx';

/** The groups of the organization. */
export function Screen() {
  const groups = useQuery(ask('groups', 'list', {}));
  const may = useOrganizationRights();
  const [{ group, new: isNew }, go] = useAddress();
  const roles = useOrganizationRoles();
  return (
    <Page
      title="Groups"
      lead="A group is added to projects like a person. Its roles are those of all of its members."
      actions={
        may('groups', 'create') && (
          <Button kind="primary" onClick={() => go({ new: 'group' })}>
            <Plus size={16} aria-hidden /> New group
          </Button>
        )
      }
    >
      <Queried query={groups}>
        {(all) => {
          const opened = all.find(({ id }) => id === group);
          return (
            <>
              <Table
                label="Groups"
                rows={all}
                keyOf={({ id }) => id}
                empty="There is no group yet: create one for a team."
                columns={[
                  { title: 'Name', cell: ({ name }) => name },
                  { title: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
                  {
                    title: 'Role in the organization',
                    cell: ({ role, roleId }) =>
                      roles.find(({ id, slug }) => (roleId ? id === roleId : slug === role))?.name ?? role,
                  },
                  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: 'Details',
                    cell: ({ id, name }) => (
                      <Button kind="quiet" aria-label={`Open ${name}`} onClick={() => go({ group: id })}>
                        Open
                      </Button>
                    ),
                  },
                ]}
              />
              {opened && <GroupPanel group={opened} onClose={() => go({ group: undefined })} />}
            </>
          );
        }}
      </Queried>
      {isNew && <NewGroup onClose={(id) => go({ new: undefined, group: id })} />}
    </Page>
  );
}

function NewGroup({ onClose }: { readonly onClose: (id?: string) => void }) {
  const planned = usePlannedChange('groups', 'create');
  return (
    <Dialog title="New group" onClose={() => onClose()}>
      <GroupForm
        planned={planned}
        submit="Create"
        onDone={({ id, name }) => {
          toast(`The group ${name} is created.`);
          onClose(id);
        }}
      />
    </Dialog>
  );
}

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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The groups of the organization. */
export function Screen() {
  const groups = useQuery(ask('groups', 'list', {}));
  const may = useOrganizationRights();
  const [{ group, new: isNew }, go] = useAddress();
  const roles = useOrganizationRoles();
  return (
    <Page
      title={words.groups}
      lead={texts.groupIsAddedToProjects}
      actions={
        may('groups', 'create') && (
          <Button kind="primary" onClick={() => go({ new: 'group' })}>
            <Plus size={16} aria-hidden /> {texts.newGroup}
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
                label={words.groups}
                rows={all}
                keyOf={({ id }) => id}
                empty={texts.thereIsNoGroup}
                columns={[
                  { title: words.name, cell: ({ name }) => name },
                  { title: words.slug, cell: ({ slug }) => <code>{slug}</code> },
                  {
                    title: words.roleInTheOrganization,
                    cell: ({ role, roleId }) =>
                      roles.find(({ id, slug }) => (roleId ? id === roleId : slug === role))?.name ?? role,
                  },
                  { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: words.details,
                    cell: ({ id, name }) => (
                      <Button kind="quiet" aria-label={texts.openName(name)} onClick={() => go({ group: id })}>
                        {words.open}
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
    <Dialog title={texts.newGroup} onClose={() => onClose()}>
      <GroupForm
        planned={planned}
        submit={words.create}
        onDone={({ id, name }) => {
          toast(texts.groupIsCreated(name));
          onClose(id);
        }}
      />
    </Dialog>
  );
}

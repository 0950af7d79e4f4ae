import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EventsLink } from '../../ui/events-link.tsx';
import { Queried } from '../../ui/query.tsx';
import { toast } from '../../ui/toast.tsx';
import access from '../access/access.module.css';
import { usePlannedChange } from '../access/planned.ts';
import { Remove } from '../access/remove.tsx';
import { GroupForm } from './group-form.tsx';
import { GroupMembers } from './group-members.tsx';
import type { Group } from './group.ts';

/** One group: what it is, who is in it, and where it is a member. */
export function GroupPanel({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const { id, name } = group;
  const may = useOrganizationRights();
  const update = usePlannedChange('groups', 'update', { common: { id } });
  const remove = usePlannedChange('groups', 'delete');
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Dialog title={name} look="side" onClose={onClose}>
      <p>
        <EventsLink of={{ about: { groupId: id } }} />
      </p>
      <GroupMembers group={group} />
      <Projects groupId={id} />
      {may('groups', 'edit') && (
        <section className={access['section']}>
          <h3>Settings</h3>
          <GroupForm
            key={group.updatedAt}
            group={group}
            planned={update}
            submit="Save"
            onDone={() => toast('The group is saved.')}
          />
        </section>
      )}
      {may('groups', 'delete') && (
        <Button kind="danger" onClick={() => setRemoving(true)}>
          Delete this group
        </Button>
      )}
      {isRemoving && (
        <Remove
          title={`Delete the group ${name}`}
          submit="Delete"
          planned={remove}
          input={{ id }}
          onClose={() => setRemoving(false)}
          onDone={() => {
            toast(`The group ${name} is deleted.`);
            onClose();
          }}
        >
          Its members lose what only the group {name} gives them, in all projects.
        </Remove>
      )}
    </Dialog>
  );
}

function Projects({ groupId }: { readonly groupId: string }) {
  const projects = useQuery(ask('groups', 'projects', { id: groupId, filter: 'assignedProjects', limit: 100 }));
  return (
    <section className={access['section']}>
      <h3>Projects</h3>
      <Queried query={projects}>
        {({ projects: all }) =>
          all.length === 0 ? (
            <p>In none yet: add it in a project, under Access.</p>
          ) : (
            <ul>
              {all.map(({ id, name }) => (
                <li key={id}>
                  <Link to="/projects/$projectId/access" params={{ projectId: id }} search={{ tab: 'groups' }}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Queried>
    </section>
  );
}

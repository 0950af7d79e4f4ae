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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
          <h3>{words.settings}</h3>
          <GroupForm
            key={group.updatedAt}
            group={group}
            planned={update}
            submit={words.save}
            onDone={() => toast(texts.groupIsSaved)}
          />
        </section>
      )}
      {may('groups', 'delete') && (
        <Button kind="danger" onClick={() => setRemoving(true)}>
          {texts.deleteThisGroup}
        </Button>
      )}
      {isRemoving && (
        <Remove
          title={texts.deleteGroup(name)}
          submit={words.delete}
          planned={remove}
          input={{ id }}
          onClose={() => setRemoving(false)}
          onDone={() => {
            toast(texts.groupIsDeleted(name));
            onClose();
          }}
        >
          {texts.itsMembersLoseWhatOnlyGroup(name)}
        </Remove>
      )}
    </Dialog>
  );
}

function Projects({ groupId }: { readonly groupId: string }) {
  const projects = useQuery(ask('groups', 'projects', { id: groupId, filter: 'assignedProjects', limit: 100 }));
  return (
    <section className={access['section']}>
      <h3>{words.projects}</h3>
      <Queried query={projects}>
        {({ projects: all }) =>
          all.length === 0 ? (
            <p>{texts.inNoneYet}</p>
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

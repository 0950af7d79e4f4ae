import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EventsLink, type Events } from '../../ui/events-link.tsx';
import { toast } from '../../ui/toast.tsx';
import access from '../access/access.module.css';
import type { PlannedChange } from '../access/planned.ts';
import { useProjectRoles } from '../access/project-roles.ts';
import { Remove } from '../access/remove.tsx';
import { RolesForm } from '../access/roles-form.tsx';
import { Roles, type HeldRole, type toRoles } from '../access/roles.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface MemberPanelProps<Change, Removal> {
  readonly projectId: string;
  readonly title: string;
  readonly lead: ReactNode;
  /** What events have of the member. */
  readonly about: NonNullable<Events['about']>;
  readonly roles: readonly HeldRole[];
  /** Whose effective permissions can be looked at. */
  readonly seen?: Readonly<Record<'user' | 'identity', string>> | { user: string } | { identity: string } | undefined;
  /** Absent if the caller may not. */
  readonly update: PlannedChange<Change> | undefined;
  readonly toInput: (roles: NonNullable<ReturnType<typeof toRoles>>) => Change;
  readonly remove: PlannedChange<Removal> | undefined;
  readonly removed: Removal;
  readonly onClose: () => void;
  /** Further sections. */
  readonly children?: ReactNode;
}

/** A member of a project, of whatever kind: roles, what it may do, and its removal. */
export function MemberPanel<Change, Removal>({
  projectId,
  title,
  lead,
  about,
  roles,
  seen,
  update,
  toInput,
  remove,
  removed,
  onClose,
  children,
}: MemberPanelProps<Change, Removal>) {
  const [isRemoving, setRemoving] = useState(false);
  const known = useProjectRoles(projectId);
  const done = () => {
    toast(texts.isRemovedFromProject(title));
    onClose();
  };
  return (
    <Dialog title={title} look="side" onClose={onClose}>
      <p>{lead}</p>
      <p>
        <EventsLink of={{ about }} />
      </p>
      {seen && (
        <p>
          <Link to="/projects/$projectId/effective" params={{ projectId }} search={seen}>
            {texts.whatMayDoHere(title)}
          </Link>
        </p>
      )}
      <section className={access['section']}>
        {update ? (
          <RolesForm roles={roles} known={known} planned={update} toInput={toInput} onDone={() => undefined} />
        ) : (
          <>
            <h3>{words.roles}</h3>
            <Roles roles={roles} known={known} />
          </>
        )}
      </section>
      {children}
      {remove && (
        <Button kind="danger" onClick={() => setRemoving(true)}>
          {texts.removeFromProject}
        </Button>
      )}
      {isRemoving && remove && (
        <Remove
          title={texts.removeTitle(title)}
          submit={words.remove}
          planned={remove}
          input={removed}
          onDone={done}
          onClose={() => setRemoving(false)}
        >
          {texts.losesRolesAndPrivileges(title)}
        </Remove>
      )}
    </Dialog>
  );
}

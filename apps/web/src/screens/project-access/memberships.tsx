import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { useAddress } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { words } from '../../ui/words.texts.ts';
import access from '../access/access.module.css';
import { useProjectRoles } from '../access/project-roles.ts';
import { Roles } from '../access/roles.tsx';
import { texts } from './texts.ts';

interface Membership {
  readonly id: string;
  readonly roles: ComponentProps<typeof Roles>['roles'];
  readonly createdAt: string;
}

interface MembershipsProps<One extends Membership> {
  readonly projectId: string;
  readonly query: UseQueryResult<readonly One[], unknown>;
  /** What they are: `People`. */
  readonly label: string;
  readonly empty: string;
  readonly nameOf: (one: One) => string;
  /** Before the roles. */
  readonly who: readonly Column<One>[];
  /** After the roles. */
  readonly more?: readonly Column<One>[];
  /** The title of the column that says since when. */
  readonly since: string;
  /** The button that adds one, and what it opens; of callers who may. */
  readonly add: false | { readonly label: string; readonly dialog: (close: () => void) => ReactNode };
  /** The details of the one that the address names. */
  readonly details: (one: One, close: () => void) => ReactNode;
}

/** Members of one kind with their roles in the project, each with its details. */
export function Memberships<One extends Membership>(props: MembershipsProps<One>) {
  const { projectId, query, label, empty, nameOf, who, more = [], since, add, details } = props;
  const [{ member: opened }, go] = useAddress();
  const [isAdding, setAdding] = useState(false);
  const known = useProjectRoles(projectId);
  const columns: readonly Column<One>[] = [
    ...who,
    { title: words.roles, cell: ({ roles }) => <Roles roles={roles} known={known} /> },
    ...more,
    { title: since, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: words.details,
      cell: (one) => (
        <Button kind="quiet" onClick={() => go({ member: one.id })} aria-label={texts.openName(nameOf(one))}>
          {words.open}
        </Button>
      ),
    },
  ];
  return (
    <>
      <div className={access['tools']}>
        <span />
        {add && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            <Plus size={16} aria-hidden /> {add.label}
          </Button>
        )}
      </div>
      <Queried query={query}>
        {(all) => {
          const shown = all.find(({ id }) => id === opened);
          return (
            <>
              <Table label={label} rows={all} keyOf={({ id }) => id} empty={empty} columns={columns} />
              {shown && details(shown, () => go({ member: undefined, privilege: undefined }))}
            </>
          );
        }}
      </Queried>
      {add && isAdding && add.dialog(() => setAdding(false))}
    </>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { May } from '../../app/rights.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Badge } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface ListedRole {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
}

/** A built-in role has its slug as its ID. */
const isBuiltIn = ({ id, slug }: ListedRole): boolean => id === slug;

/** The address of one role, without its slug; so it is that of a new one. */
interface One {
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
}

interface RolesPageProps {
  readonly title: string;
  readonly lead: string;
  readonly one: One;
  readonly may: May;
  readonly children: ReactNode;
}

export const RolesPage = ({ title, lead, one, may, children }: RolesPageProps) => (
  <Page
    title={title}
    lead={lead}
    actions={
      may('role', 'create') && (
        <Link {...one} className={buttonClass('primary')}>
          {texts.newRole}
        </Link>
      )
    }
  >
    {children}
  </Page>
);

/** Roles, each a link to its rules. */
export const RolesTable = ({ roles, one }: { readonly roles: readonly ListedRole[]; readonly one: One }) => (
  <Table
    label={words.roles}
    rows={roles}
    keyOf={({ id }) => id}
    empty={texts.thereAreNoRoles}
    columns={[
      {
        title: words.name,
        cell: (role) => (
          <>
            <Link {...one} search={{ slug: role.slug }}>
              {role.name}
            </Link>{' '}
            {isBuiltIn(role) && <Badge>{texts.builtIn}</Badge>}
          </>
        ),
      },
      { title: words.slug, cell: ({ slug }) => <code>{slug}</code> },
      { title: words.description, cell: ({ description }) => description ?? '–' },
    ]}
  />
);

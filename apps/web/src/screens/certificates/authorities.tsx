import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { NewButton } from '../../ui/creation.tsx';
import { Part } from '../../ui/detail.tsx';
import { emptyText } from '../../ui/empty-text.ts';
import { Badge, Empty } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { optionLabel } from '../../ui/schema-form/words.ts';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AUTHORITY, useAuthorities, useExternalAuthorities, type Authority } from './authorities-of.ts';
import styles from './chain.module.css';
import { NewAuthority } from './new-authority.tsx';
import { CertificateTabs } from './tabs.ts';

/** The authorities of a project: those of Coffer as a tree, and those of others. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const authorities = useAuthorities();
  return (
    <Page
      title="Certificate authorities"
      lead="Who signs for whom."
      actions={may('certificate-authorities', 'create') && <NewButton>New authority</NewButton>}
    >
      <CertificateTabs />
      <Part title="Of Coffer">
        <Queried query={authorities}>{(all) => <Tree of={all} />}</Queried>
      </Part>
      <External />
      <NewAuthority />
    </Page>
  );
}

const NONE = 'There is no authority yet: create a root, and intermediates below it.';

/** Below each authority those that it has signed. One whose parent is not listed stands at the top. */
function Tree({ of: all }: { readonly of: readonly Authority[] }) {
  const isTop = ({ configuration: { parentCaId } }: Authority) => all.every(({ id }) => id !== parentCaId);
  const may = useProjectRights(useProjectId());
  if (all.length === 0) return <Empty>{emptyText(may, 'certificate-authorities', NONE)}</Empty>;
  return (
    <ul className={styles['tree']} aria-label="Authorities">
      {all.filter(isTop).map((one) => (
        <Branch key={one.id} of={one} all={all} />
      ))}
    </ul>
  );
}

function Branch({ of: one, all }: { readonly of: Authority; readonly all: readonly Authority[] }) {
  const { id, projectId, name, status, configuration } = one;
  const below = all.filter((other) => other.configuration.parentCaId === id);
  return (
    <li>
      <div>
        <Link to={AUTHORITY} params={{ projectId, id }}>
          {name}
        </Link>
        <Badge>{configuration.type}</Badge>
        <AuthorityStatus status={status} />
        <small>
          {configuration.dn}
          {configuration.notAfter && (
            <>
              , ends <Time at={configuration.notAfter} />
            </>
          )}
        </small>
      </div>
      {below.length > 0 && (
        <ul>
          {below.map((other) => (
            <Branch key={other.id} of={other} all={all} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Whether it issues. */
export const AuthorityStatus = ({ status }: { readonly status: Authority['status'] }) => (
  <Badge kind={({ active: 'good', disabled: 'bad', 'pending-certificate': 'warn' } as const)[status]}>
    {optionLabel(status)}
  </Badge>
);

function External() {
  const projectId = useProjectId();
  const all = useExternalAuthorities();
  if (all.length === 0) return null;
  return (
    <Part title="Of others">
      <Table
        label="Authorities of others"
        rows={all}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          {
            title: 'Name',
            cell: ({ id, name, at }) => (
              <Link
                to="/projects/$projectId/certificates/external-authorities/$type/$id"
                params={{ projectId, type: at.type, id }}
              >
                {name}
              </Link>
            ),
          },
          { title: 'At', cell: ({ at }) => at.title },
          { title: 'Status', cell: ({ status }) => <AuthorityStatus status={status} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Part>
  );
}

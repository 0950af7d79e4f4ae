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
import { texts } from './authorities.texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The authorities of a project: those of Coffer as a tree, and those of others. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const authorities = useAuthorities();
  return (
    <Page
      title={texts.certificateAuthorities}
      lead={texts.whoSignsForWhom}
      actions={may('certificate-authorities', 'create') && <NewButton>{texts.newAuthority}</NewButton>}
    >
      <CertificateTabs />
      <Part title={texts.ofCoffer}>
        <Queried query={authorities}>{(all) => <Tree of={all} />}</Queried>
      </Part>
      <External />
      <NewAuthority />
    </Page>
  );
}

const NONE = texts.thereIsNoAuthority;

/** Below each authority those that it has signed. One whose parent is not listed stands at the top. */
function Tree({ of: all }: { readonly of: readonly Authority[] }) {
  const isTop = ({ configuration: { parentCaId } }: Authority) => all.every(({ id }) => id !== parentCaId);
  const may = useProjectRights(useProjectId());
  if (all.length === 0) return <Empty>{emptyText(may, 'certificate-authorities', NONE)}</Empty>;
  return (
    <ul className={styles['tree']} aria-label={texts.authorities}>
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
          {configuration.notAfter && <>{texts.andEnds(<Time at={configuration.notAfter} />)}</>}
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
    <Part title={texts.ofOthers}>
      <Table
        label={texts.authoritiesOfOthers}
        rows={all}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          {
            title: words.name,
            cell: ({ id, name, at }) => (
              <Link
                to="/projects/$projectId/certificates/external-authorities/$type/$id"
                params={{ projectId, type: at.type, id }}
              >
                {name}
              </Link>
            ),
          },
          { title: texts.at, cell: ({ at }) => at.title },
          { title: words.status, cell: ({ status }) => <AuthorityStatus status={status} /> },
          { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Part>
  );
}

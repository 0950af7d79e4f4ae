import type { Inputs, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress, type Address } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { Status, type State } from '../../ui/detail.tsx';
import { ChoiceFilter, Filters, SearchFilter } from '../../ui/filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAuthorities, useAuthorityName } from './authorities-of.ts';
import { Issue, IssueButton } from './issue.tsx';
import { CertificateTabs } from './tabs.ts';

export type ListedCertificate = Outputs['certificates']['list']['certificates'][number];
type Filter = Omit<Inputs['certificates']['list'], 'projectId' | 'offset' | 'limit'>;

const PAGE = 25;
const DAY = 86_400_000;

const STATUSES = [
  ['', 'All'],
  ['active', 'Valid'],
  ['expired', 'Expired'],
  ['revoked', 'Revoked'],
] as const;
const ORDERS = [
  ['', 'Newest first'],
  ['notAfter', 'First to end'],
  ['commonName', 'By name'],
] as const;
const ENDS = [
  ['', 'Any time'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
] as const;

/** The filter that the address has. What is unknown in it is left out. */
function filterOf({ search, status, authority, ends, order }: Address): Filter {
  const days = Number(ends);
  // The start of the hour: the same filter is the same query for a while.
  const now = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  return {
    ...(search && { search }),
    ...(authority && { caId: authority }),
    ...((status === 'active' || status === 'expired' || status === 'revoked') && { status }),
    ...(days > 0 && {
      notAfterFrom: new Date(now).toISOString(),
      notAfterTo: new Date(now + days * DAY).toISOString(),
    }),
    ...((order === 'notAfter' || order === 'commonName') && { sortBy: order, sortOrder: 'asc' as const }),
  };
}

/** How a certificate is, with what ends it. */
export function certificateState({ status, notAfter, revokedAt, renewalError }: ListedCertificate): State {
  if (status === 'revoked') return { kind: 'bad', text: 'Revoked', at: revokedAt };
  if (status === 'expired') return { kind: 'bad', text: 'Expired', at: notAfter };
  return renewalError ? { kind: 'warn', text: 'Not renewed', why: renewalError } : { kind: 'good', text: 'Valid' };
}

/** The certificates of a project. The server searches, filters and divides them into pages. */
export function Screen() {
  const projectId = useProjectId();
  const [address] = useAddress();
  const page = usePage(PAGE);
  const { data: authorities = [] } = useAuthorities();
  const nameOf = useAuthorityName();
  const found = useQuery({
    ...ask('certificates', 'list', { projectId, ...page, ...filterOf(address) }),
    placeholderData: (before) => before,
  });
  return (
    <Page title="Certificates" lead="What is issued, until when, and by whom." actions={<IssueButton />}>
      <CertificateTabs />
      <Filters>
        <SearchFilter name="search" label="Name or serial number" />
        <ChoiceFilter name="status" label="Status" options={STATUSES} />
        <ChoiceFilter
          name="authority"
          label="Authority"
          options={[['', 'All'], ...authorities.map(({ id, name }) => [id, name] as const)]}
        />
        <ChoiceFilter name="ends" label="Ends" options={ENDS} />
        <ChoiceFilter name="order" label="Order" options={ORDERS} />
      </Filters>
      <Queried query={found}>
        {({ certificates, totalCount }) => (
          <>
            <Table
              label="Certificates"
              rows={certificates}
              keyOf={({ id }) => id}
              empty="There is no such certificate. A new one needs an authority, or is imported."
              columns={[
                {
                  title: 'Name',
                  cell: ({ id, commonName, friendlyName }) => (
                    <Link to="/projects/$projectId/certificates/$id" params={{ projectId, id }}>
                      {friendlyName || commonName || id}
                    </Link>
                  ),
                },
                { title: 'Alternative names', cell: ({ altNames }) => altNames?.split(',').join(', ') },
                { title: 'Authority', cell: ({ caId }) => (caId === null ? 'Imported' : nameOf(caId)) },
                { title: 'Status', cell: (one) => <Status {...certificateState(one)} /> },
                { title: 'Ends', cell: ({ notAfter }) => <Time at={notAfter} /> },
                { title: 'Serial number', cell: ({ serialNumber }) => <code>{serialNumber.slice(0, 16)}</code> },
              ]}
            />
            <Pager {...page} total={totalCount} />
          </>
        )}
      </Queried>
      <Issue />
    </Page>
  );
}

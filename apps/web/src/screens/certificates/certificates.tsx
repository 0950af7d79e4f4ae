import type { Inputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useAddress, type Address } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { ChoiceFilter, Filters, SearchFilter } from '../../ui/filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { useAuthorities } from './authorities-of.ts';
import { CertificateTable } from './certificate-table.tsx';
import { Issue, IssueButton } from './issue.tsx';
import { CertificateTabs } from './tabs.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Filter = Omit<Inputs['certificates']['list'], 'projectId' | 'offset' | 'limit'>;

const PAGE = 25;
const DAY = 86_400_000;

const STATUSES = [
  ['', texts.all],
  ['active', words.valid],
  ['expired', texts.expired],
  ['revoked', texts.revoked],
] as const;
const ORDERS = [
  ['', texts.newestFirst],
  ['notAfter', texts.firstToEnd],
  ['commonName', texts.byName],
] as const;
const ENDS = [
  ['', texts.anyTime],
  ['7', texts.in7Days],
  ['30', texts.in30Days],
  ['90', texts.in90Days],
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

/** The certificates of a project. The server searches, filters and divides them into pages. */
export function Screen() {
  const projectId = useProjectId();
  const [address] = useAddress();
  const page = usePage(PAGE);
  const { data: authorities = [] } = useAuthorities();
  const found = useQuery({
    ...ask('certificates', 'list', { projectId, ...page, ...filterOf(address) }),
    placeholderData: (before) => before,
  });
  return (
    <Page title={words.certificates} lead={texts.whatIsIssuedUntil} actions={<IssueButton />}>
      <CertificateTabs />
      <Filters>
        <SearchFilter name="search" label={texts.nameOrSerialNumber} />
        <ChoiceFilter name="status" label={words.status} options={STATUSES} />
        <ChoiceFilter
          name="authority"
          label={words.authority}
          options={[['', texts.all], ...authorities.map(({ id, name }) => [id, name] as const)]}
        />
        <ChoiceFilter name="ends" label={words.ends} options={ENDS} />
        <ChoiceFilter name="order" label={texts.order} options={ORDERS} />
      </Filters>
      <Queried query={found}>
        {({ certificates, totalCount }) => (
          <>
            <CertificateTable of={certificates} empty={texts.thereIsNoSuchCertificate} />
            <Pager {...page} total={totalCount} />
          </>
        )}
      </Queried>
      <Issue />
    </Page>
  );
}

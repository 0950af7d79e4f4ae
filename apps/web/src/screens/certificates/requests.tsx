import type { CofferError, Inputs, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { useChange } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Status, type State } from '../../ui/detail.tsx';
import { ChoiceFilter, Filters, SearchFilter } from '../../ui/filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CertificateTabs } from './tabs.ts';

type Found = Outputs['certificateOrders']['requests'];
type Request = Found['certificateRequests'][number];
type RequestStatus = Request['status'];

const TEXTS: Readonly<Record<RequestStatus, Pick<State, 'kind' | 'text'>>> = {
  issued: { kind: 'good', text: 'Issued' },
  pending: { kind: 'warn', text: 'Pending' },
  failed: { kind: 'bad', text: 'Failed' },
  cancelled: { text: 'Cancelled' },
};
const STATUSES = [['', 'All'], ...Object.entries(TEXTS).map(([status, { text }]) => [status, text] as const)] as const;

const PAGE = 25;

/** What was requested by profiles, and what became of it: authorities of others take their time. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const page = usePage(PAGE);
  const [{ search, status }] = useAddress();
  const cancel = useChange('certificateOrders', 'cancel');
  const input: Inputs['certificateOrders']['requests'] = {
    projectId,
    ...page,
    ...(search && { search }),
    ...(isStatus(status) && { status }),
  };
  // The search is a POST, and reads nevertheless.
  const found = useQuery<Found, CofferError>({
    queryKey: ['certificateOrders', 'requests', input],
    queryFn: ({ signal }) => coffer.certificateOrders.requests.mutate(input, { signal }),
    placeholderData: (before) => before,
  });
  return (
    <Page title="Certificate requests" lead="What was requested by profiles, and what became of it.">
      <CertificateTabs />
      <Filters>
        <SearchFilter name="search" label="Name or serial number" />
        <ChoiceFilter name="status" label="Status" options={STATUSES} />
      </Filters>
      <Queried query={found}>
        {({ certificateRequests, totalCount }) => (
          <>
            <Table
              label="Certificate requests"
              rows={certificateRequests}
              keyOf={({ id }) => id}
              empty="There is no such request."
              columns={[
                {
                  title: 'Name',
                  cell: ({ commonName, certificateId: id }) =>
                    id ? (
                      <Link to="/projects/$projectId/certificates/$id" params={{ projectId, id }}>
                        {commonName}
                      </Link>
                    ) : (
                      commonName
                    ),
                },
                { title: 'Profile', cell: ({ profileName }) => profileName },
                {
                  title: 'Status',
                  cell: ({ status: own, errorMessage, pendingMessage }) => (
                    <>
                      <Status {...TEXTS[own]} why={errorMessage} /> {own === 'pending' && pendingMessage}
                    </>
                  ),
                },
                { title: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
                {
                  title: 'Actions',
                  cell: ({ id: requestId, status: own, commonName }) =>
                    own === 'pending' &&
                    may('certificates', 'edit') && (
                      <Act
                        label="Cancel"
                        run={() => cancel.mutateAsync({ requestId })}
                        done={`The request for ${commonName} is cancelled`}
                      />
                    ),
                },
              ]}
            />
            <Pager {...page} total={totalCount} />
          </>
        )}
      </Queried>
    </Page>
  );
}

const isStatus = (text: string | undefined): text is RequestStatus => text !== undefined && text in TEXTS;

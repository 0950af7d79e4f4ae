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
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

type Found = Outputs['certificateOrders']['requests'];
type Request = Found['certificateRequests'][number];
type RequestStatus = Request['status'];

const TEXTS: Readonly<Record<RequestStatus, Pick<State, 'kind' | 'text'>>> = {
  issued: { kind: 'good', text: texts.issued },
  pending: { kind: 'warn', text: texts.pending },
  failed: { kind: 'bad', text: words.failed },
  cancelled: { text: texts.cancelled },
};
const STATUSES = [
  ['', texts.all],
  ...Object.entries(TEXTS).map(([status, { text }]) => [status, text] as const),
] as const;

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
    <Page title={texts.certificateRequests} lead={texts.whatWasRequestedByProfiles}>
      <CertificateTabs />
      <Filters>
        <SearchFilter name="search" label={texts.nameOrSerialNumber} />
        <ChoiceFilter name="status" label={words.status} options={STATUSES} />
      </Filters>
      <Queried query={found}>
        {({ certificateRequests, totalCount }) => (
          <>
            <Table
              label={texts.certificateRequests}
              rows={certificateRequests}
              keyOf={({ id }) => id}
              empty={texts.thereIsNoSuchRequest}
              columns={[
                {
                  title: words.name,
                  cell: ({ commonName, certificateId: id }) =>
                    id ? (
                      <Link to="/projects/$projectId/certificates/$id" params={{ projectId, id }}>
                        {commonName}
                      </Link>
                    ) : (
                      commonName
                    ),
                },
                { title: words.profile, cell: ({ profileName }) => profileName },
                {
                  title: words.status,
                  cell: ({ status: own, errorMessage, pendingMessage }) => (
                    <>
                      <Status {...TEXTS[own]} why={errorMessage} /> {own === 'pending' && pendingMessage}
                    </>
                  ),
                },
                { title: texts.requested, cell: ({ createdAt }) => <Time at={createdAt} /> },
                {
                  title: words.actions,
                  cell: ({ id: requestId, status: own, commonName }) =>
                    own === 'pending' &&
                    may('certificates', 'edit') && (
                      <Act
                        label={words.cancel}
                        run={() => cancel.mutateAsync({ requestId })}
                        done={texts.requestForIsCancelled(commonName)}
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

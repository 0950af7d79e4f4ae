import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useAddress } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { committerOf, placesOf } from './changes.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const PAGE = 50;

/** Requests to change secrets, newest first. */
export function ChangeRequests({ projectId, isOpen }: { readonly projectId: string; readonly isOpen: boolean }) {
  const [{ from = '0' }, go] = useAddress();
  const offset = Number.parseInt(from, 10) || 0;
  const requests = useQuery(
    ask('secretApprovalRequests', 'list', {
      workspaceId: projectId,
      status: isOpen ? 'open' : 'close',
      limit: PAGE,
      offset,
    }),
  );
  return (
    <Queried query={requests}>
      {({ approvals }) => (
        <>
          <Table
            label={texts.changeRequests}
            rows={approvals}
            keyOf={({ id }) => id}
            empty={isOpen ? texts.nothingWaits : texts.nothingHasBeenDecided}
            columns={[
              {
                title: words.change,
                cell: (request) => (
                  <Link to="/projects/$projectId/inbox/$requestId" params={{ projectId, requestId: request.id }}>
                    {texts.changesIn(request.commitCount, placesOf(request.commits, request.commitCount))}
                  </Link>
                ),
              },
              { title: words.by, cell: committerOf },
              { title: words.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                title: words.state,
                cell: (request) => <State {...request} />,
              },
            ]}
          />
          {approvals.length === PAGE && (
            <Button onClick={() => go({ from: String(offset + PAGE) })}>{texts.nextPage(PAGE)}</Button>
          )}
        </>
      )}
    </Queried>
  );
}

interface StateProps {
  readonly status: 'open' | 'close';
  readonly hasMerged: boolean;
  readonly isApproved: boolean;
  readonly conflicts: readonly unknown[] | null;
  readonly policies: readonly { readonly approvals: number }[];
  readonly reviewers: readonly { readonly status: string; readonly isCounted: boolean }[];
}

/** How far a change request is. */
export function State({ status, hasMerged, isApproved, conflicts, policies, reviewers }: StateProps) {
  if (hasMerged) return <Badge kind="good">{texts.merged}</Badge>;
  if (status === 'close') return <Badge>{texts.closed}</Badge>;
  if (conflicts && conflicts.length > 0) return <Badge kind="bad">{texts.conflicts}</Badge>;
  if (isApproved) return <Badge kind="good">{texts.approvedCanBeMerged}</Badge>;
  const given = reviewers.filter(({ isCounted }) => isCounted).length;
  const needed = Math.max(...policies.map(({ approvals }) => approvals), 1);
  return (
    <>
      <Badge kind="warn">{texts.ofApprovals(given, needed)}</Badge>{' '}
      {reviewers.some((one) => one.status === 'rejected') && <Badge kind="bad">{texts.rejectedByOne}</Badge>}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { Badge } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';
import { nameOf } from '../access/person.ts';
import type { Request } from './changes.ts';

/** Names of members, for those who may read them. */
export function useNames(): (userId: string) => string {
  const { data } = useQuery(ask('projectMembers', 'list', { projectId: useProjectId() }));
  const names = new Map(data?.memberships.map(({ userId, user }) => [userId, nameOf(user)]));
  return (userId) => names.get(userId) ?? 'somebody';
}

export function Reviews({ request: { reviewers, policies, approvers } }: { readonly request: Request }) {
  const nameFor = useNames();
  return (
    <section>
      <h2>Reviews</h2>
      <p>
        {policies
          .map(
            ({ name, approvals, enforcementLevel }) =>
              `The policy ${name} needs ${approvals === 1 ? 'one approval' : `${approvals} approvals`}${enforcementLevel === 'soft' ? ', and can be bypassed with a reason' : ''}.`,
          )
          .join(' ')}
      </p>
      <Table
        label="Reviews"
        rows={reviewers}
        keyOf={({ userId }) => userId}
        empty={`Nobody has reviewed it yet. ${approvers.length > 0 ? `May approve: ${approvers.map(({ userId }) => nameFor(userId)).join(', ')}.` : 'Nobody may approve it now: change the policy.'}`}
        columns={[
          { title: 'By', cell: ({ userId }) => nameFor(userId) },
          {
            title: 'Review',
            cell: ({ status, isCounted }) => (
              <>
                <Badge kind={status === 'approved' ? 'good' : 'bad'}>{status}</Badge>{' '}
                {status === 'approved' && !isCounted && 'does not count any more'}
              </>
            ),
          },
          { title: 'Comment', cell: ({ comment }) => comment ?? '–' },
        ]}
      />
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { Badge } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';
import { wholeNameOf } from '../access/person.ts';
import type { Request } from './changes.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Names of members, for those who may read them. */
export function useNames(): (userId: string) => string {
  const { data } = useQuery(ask('projectMembers', 'list', { projectId: useProjectId() }));
  const names = new Map(data?.memberships.map(({ userId, user }) => [userId, wholeNameOf(user)]));
  return (userId) => names.get(userId) ?? texts.somebody;
}

export function Reviews({ request: { reviewers, policies, approvers } }: { readonly request: Request }) {
  const nameFor = useNames();
  return (
    <section>
      <h2>{texts.reviews}</h2>
      <p>
        {policies
          .map(({ name, approvals, enforcementLevel }) =>
            enforcementLevel === 'soft'
              ? texts.policyNeedsOrReason(approvals, name)
              : texts.policyNeeds(approvals, name),
          )
          .join(' ')}
      </p>
      <Table
        label={texts.reviews}
        rows={reviewers}
        keyOf={({ userId }) => userId}
        empty={
          approvers.length > 0
            ? texts.nobodyHasReviewedItYet(approvers.map(({ userId }) => nameFor(userId)).join(', '))
            : texts.nobodyHasReviewedItYetNobody
        }
        columns={[
          { title: words.by, cell: ({ userId }) => nameFor(userId) },
          {
            title: texts.review,
            cell: ({ status, isCounted }) => (
              <>
                <Badge kind={status === 'approved' ? 'good' : 'bad'}>{status}</Badge>{' '}
                {status === 'approved' && !isCounted && texts.doesNotCountAnyMore}
              </>
            ),
          },
          { title: words.comment, cell: ({ comment }) => comment ?? '–' },
        ]}
      />
    </section>
  );
}

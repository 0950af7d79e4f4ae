import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask, useChange } from '../../app/ask.ts';
import { useUserId } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { Badge, Empty } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { ruleText } from '../../ui/rule.ts';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { wholeNameOf } from '../access/person.ts';
import styles from './inbox.module.css';
import { useNames } from './reviews.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type AccessRequest = Outputs['accessApprovals']['list']['requests'][number];

/** Requests for access, newest first; with `?request=`, this one. */
export function AccessRequests({ projectSlug, isOpen }: { readonly projectSlug: string; readonly isOpen: boolean }) {
  const [{ request: wanted }] = useAddress();
  const requests = useQuery(ask('accessApprovals', 'list', { projectSlug }));
  const isShown = ({ id, status }: AccessRequest) =>
    wanted === undefined ? (status === 'pending') === isOpen : id === wanted;
  const none = wanted ? texts.thereIsNoSuchRequest : isOpen ? texts.nobodyWaitsForAccess : texts.noRequestHasBeen;
  return (
    <Queried query={requests}>
      {({ requests: all }) => {
        const shown = all.filter(isShown);
        return shown.length === 0 ? (
          <Empty>{none}</Empty>
        ) : (
          <ul className={styles['requests']}>
            {shown.map((request) => (
              <li key={request.id}>
                <One request={request} />
              </li>
            ))}
          </ul>
        );
      }}
    </Queried>
  );
}

const KINDS = { pending: 'warn', approved: 'good', rejected: 'bad' } as const;

function One({ request }: { readonly request: AccessRequest }) {
  const { requestedByUser, rules, note, status, environmentName, isTemporary, temporaryRange, createdAt } = request;
  const nameFor = useNames();
  const name = requestedByUser ? wholeNameOf(requestedByUser) : texts.userWhoHasLeft;
  return (
    <Card>
      <h2>
        {texts.asksForAccessIn(name, environmentName)} <Badge kind={KINDS[status]}>{status}</Badge>
      </h2>
      <ul className={styles['rules']}>
        {rules.map((rule, index) => (
          <li key={`${index} ${rule.subject}`}>{ruleText(rule)}</li>
        ))}
      </ul>
      <p>
        {isTemporary
          ? texts.askedFor(temporaryRange ?? '', <Time at={createdAt} />)
          : texts.askedPermanently(<Time at={createdAt} />)}
        {note && <> {texts.reasonNote(note)}</>}
      </p>
      {request.reviewers.length > 0 && (
        <p>{request.reviewers.map(({ userId, status: review }) => `${nameFor(userId)}: ${review}`).join(', ')}</p>
      )}
      {status === 'pending' && <Review request={request} name={name} />}
    </Card>
  );
}

function Review({ request, name }: { readonly request: AccessRequest; readonly name: string }) {
  const userId = useUserId();
  const review = useChange('accessApprovals', 'review', ['accessApprovals', 'access', 'userPrivileges']);
  if (!request.policies.some(({ approvers }) => approvers.some((one) => one.userId === userId))) return null;
  const isOwn =
    request.requestedByUserId === userId && !request.policies.every(({ allowedSelfApprovals }) => allowedSelfApprovals);
  const send = (status: 'approved' | 'rejected') =>
    review.mutate({ requestId: request.id, status }, { onSuccess: () => toast(texts.requestOfIs(name, status)) });
  return (
    <>
      {review.error && <ErrorNote error={review.error} />}
      <Actions>
        {isOwn && <span>{texts.policiesDoNotLet}</span>}
        <Button kind="danger" isBusy={review.isPending} onClick={() => send('rejected')}>
          {words.reject}
        </Button>
        <Button kind="primary" disabled={isOwn} isBusy={review.isPending} onClick={() => send('approved')}>
          {words.approve}
        </Button>
      </Actions>
    </>
  );
}

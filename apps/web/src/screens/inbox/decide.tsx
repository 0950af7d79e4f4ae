import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights, useUserId } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { NotAllowed } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Request } from './changes.ts';

const AFFECTED = ['secretApprovalRequests', 'secrets', 'folders', 'history'] as const;

/** Reviews a change request, merges it, closes it or opens it again: for who made it, its approvers, and who may edit policies. */
export function Decide({ request }: { readonly request: Request }) {
  const userId = useUserId();
  const may = useProjectRights(useProjectId());
  if (request.hasMerged) return null;
  const isParty = request.committerUserId === userId || request.approvers.some((one) => one.userId === userId);
  if (!isParty && !may('secret-approval', 'edit'))
    return <NotAllowed what="decide on this request" action="edit" subject="secret-approval" />;
  return <Card>{request.status === 'close' ? <Reopen request={request} /> : <Open request={request} />}</Card>;
}

function Reopen({ request: { id } }: { readonly request: Request }) {
  const status = useChange('secretApprovalRequests', 'status', AFFECTED);
  return (
    <>
      <p>This request is closed. Opened again it is compared with what is there now, and needs new approvals.</p>
      {status.error && <ErrorNote error={status.error} />}
      <Button isBusy={status.isPending} onClick={() => status.mutate({ id, status: 'open' })}>
        Open again
      </Button>
    </>
  );
}

function Open({ request }: { readonly request: Request }) {
  const { id, policies, isApproved } = request;
  const status = useChange('secretApprovalRequests', 'status', AFFECTED);
  const merge = useChange('secretApprovalRequests', 'merge', AFFECTED);
  const [reason, setReason] = useState('');
  const canBypass = !isApproved && policies.length > 0 && policies.every((one) => one.enforcementLevel === 'soft');
  const error = merge.error ?? status.error;
  return (
    <>
      <Review request={request} />
      {canBypass && (
        <TextField
          label="Reason for merging without the approvals"
          hint="The policies allow it. The reason stays with the request."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      {error && <ErrorNote error={error} />}
      <Actions>
        <Button
          isBusy={status.isPending}
          onClick={() => status.mutate({ id, status: 'close' }, { onSuccess: () => toast('The request is closed.') })}
        >
          Close without merging
        </Button>
        <Button
          kind="primary"
          disabled={!isApproved && !(canBypass && reason.trim())}
          isBusy={merge.isPending}
          onClick={() =>
            merge.mutate(
              { id, ...(!isApproved && { bypassReason: reason.trim() }) },
              { onSuccess: () => toast('The changes are made.') },
            )
          }
        >
          Merge
        </Button>
      </Actions>
    </>
  );
}

/** For approvers; the requester only where all policies allow it. */
function Review({ request: { id, version, approvers, policies, committerUserId } }: { readonly request: Request }) {
  const userId = useUserId();
  const review = useChange('secretApprovalRequests', 'review', AFFECTED);
  const [comment, setComment] = useState('');
  if (!approvers.some((one) => one.userId === userId)) return null;
  const isOwn = committerUserId === userId && !policies.every((one) => one.allowedSelfApprovals);
  const send = (status: 'approved' | 'rejected') =>
    review.mutate(
      { id, version, status, comment: comment.trim() || null },
      { onSuccess: () => toast(status === 'approved' ? 'You have approved it.' : 'You have rejected it.') },
    );
  return (
    <>
      <TextArea
        label="Comment"
        rows={2}
        hint="Everybody who sees the request sees it. Write no values here."
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      {review.error && <ErrorNote error={review.error} />}
      <Actions>
        {isOwn && <span>The policies do not let you approve your own request.</span>}
        <Button kind="danger" isBusy={review.isPending} onClick={() => send('rejected')}>
          Reject
        </Button>
        <Button disabled={isOwn} isBusy={review.isPending} onClick={() => send('approved')}>
          Approve
        </Button>
      </Actions>
    </>
  );
}

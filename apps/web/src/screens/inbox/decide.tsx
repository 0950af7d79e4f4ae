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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const AFFECTED = ['secretApprovalRequests', 'secrets', 'folders', 'history'] as const;

/** Reviews a change request, merges it, closes it or opens it again: for who made it, its approvers, and who may edit policies. */
export function Decide({ request }: { readonly request: Request }) {
  const userId = useUserId();
  const may = useProjectRights(useProjectId());
  if (request.hasMerged) return null;
  const isParty = request.committerUserId === userId || request.approvers.some((one) => one.userId === userId);
  if (!isParty && !may('secret-approval', 'edit'))
    return <NotAllowed what={texts.decideOnThisRequest} action="edit" subject="secret-approval" />;
  return <Card>{request.status === 'close' ? <Reopen request={request} /> : <Open request={request} />}</Card>;
}

function Reopen({ request: { id } }: { readonly request: Request }) {
  const status = useChange('secretApprovalRequests', 'status', AFFECTED);
  return (
    <>
      <p>{texts.thisRequestIsClosed}</p>
      {status.error && <ErrorNote error={status.error} />}
      <Button isBusy={status.isPending} onClick={() => status.mutate({ id, status: 'open' })}>
        {texts.openAgain}
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
          label={texts.reasonForMergingWithoutApprovals}
          hint={texts.policiesAllowIt}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      {error && <ErrorNote error={error} />}
      <Actions>
        <Button
          isBusy={status.isPending}
          onClick={() => status.mutate({ id, status: 'close' }, { onSuccess: () => toast(texts.requestIsClosed) })}
        >
          {texts.closeWithoutMerging}
        </Button>
        <Button
          kind="primary"
          disabled={!isApproved && !(canBypass && reason.trim())}
          isBusy={merge.isPending}
          onClick={() =>
            merge.mutate(
              { id, ...(!isApproved && { bypassReason: reason.trim() }) },
              { onSuccess: () => toast(texts.changesAreMade) },
            )
          }
        >
          {texts.merge}
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
      { onSuccess: () => toast(status === 'approved' ? texts.youHaveApprovedIt : texts.youHaveRejectedIt) },
    );
  return (
    <>
      <TextArea
        label={words.comment}
        rows={2}
        hint={texts.everybodyWhoSeesRequest}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      {review.error && <ErrorNote error={review.error} />}
      <Actions>
        {isOwn && <span>{texts.policiesDoNotLet}</span>}
        <Button kind="danger" isBusy={review.isPending} onClick={() => send('rejected')}>
          {words.reject}
        </Button>
        <Button disabled={isOwn} isBusy={review.isPending} onClick={() => send('approved')}>
          {words.approve}
        </Button>
      </Actions>
    </>
  );
}

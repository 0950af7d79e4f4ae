import type { CofferError, Outputs } from '@coffer/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { EnvironmentPart } from '../../ui/offered.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { ApproversPart, IdentitiesPart } from './parts.tsx';
import { texts } from './texts.ts';

type ChangePolicy = Outputs['secretApprovals']['list']['approvals'][number];
type AccessPolicy = Outputs['accessApprovals']['listPolicies']['approvals'][number];
export type Policy = AccessPolicy & Partial<ChangePolicy>;

interface FormEnd {
  readonly submit: string;
  readonly onCancel: () => void;
  readonly onDone: () => void;
}

/** What differs between the policies of changes and those of access. */
export interface PolicyKind {
  readonly found: UseQueryResult<{ approvals: readonly Policy[] }, CofferError>;
  /** What holds without any. */
  readonly empty: string;
  /** What a deletion does, besides that. */
  readonly deletion: string;
  readonly remove: (id: string) => Promise<unknown>;
  /** Of a new policy, or another version of one. */
  readonly form: (policy: Policy | undefined, end: FormEnd) => ReactNode;
}

/** Approvers of a new policy: an empty item of a required list would be sent as one. */
const NOBODY = { approvers: [] };
const PARTS = { environment: EnvironmentPart, approvers: ApproversPart, exemptIdentityIds: IdentitiesPart };

/** Which changes of secrets need whose approval. */
export function useChangePolicies(projectId: string): PolicyKind {
  const remove = useChange('secretApprovals', 'delete', ['secretApprovals', 'secretApprovalRequests']);
  const area = 'secretApprovals';
  return {
    found: useQuery(ask(area, 'list', { workspaceId: projectId })),
    empty: texts.secretsCanBeChanged,
    deletion: texts.itsOpenRequestsAreClosed,
    remove: (sapId) => remove.mutateAsync({ sapId }),
    form: (policy, end) =>
      policy ? (
        <OperationForm
          {...{ area, parts: PARTS, ...end }}
          procedure="update"
          given={{ sapId: policy.id }}
          update={{ current: policy }}
        />
      ) : (
        <OperationForm
          {...{ area, parts: PARTS, ...end }}
          procedure="create"
          given={{ workspaceId: projectId }}
          initial={NOBODY}
        />
      ),
  };
}

/** Which requests for access need whose approval. */
export function useAccessPolicies(projectSlug: string): PolicyKind {
  const remove = useChange('accessApprovals', 'deletePolicy', ['accessApprovals']);
  const area = 'accessApprovals';
  return {
    found: useQuery(ask(area, 'listPolicies', { projectSlug })),
    empty: texts.nobodyCanAskForAccess,
    deletion: texts.itsOpenRequestsAreRejected,
    remove: (policyId) => remove.mutateAsync({ policyId }),
    form: (policy, end) =>
      policy ? (
        <OperationForm
          {...{ area, parts: PARTS, ...end }}
          procedure="updatePolicy"
          given={{ policyId: policy.id }}
          update={{ current: policy }}
        />
      ) : (
        <OperationForm
          {...{ area, parts: PARTS, ...end }}
          procedure="createPolicy"
          given={{ projectSlug }}
          initial={NOBODY}
        />
      ),
  };
}

import { useAddress } from '../../app/address.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EnvironmentPart } from '../../ui/offered.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { ApproversPart, IdentitiesPart } from './parts.tsx';
import type { AccessPolicy, ChangePolicy } from './policy-table.tsx';

const PARTS = { environment: EnvironmentPart, approvers: ApproversPart, exemptIdentityIds: IdentitiesPart };

/** A new policy, or another version of one. */
function useFormOf(policy: { readonly name: string } | undefined) {
  const [, go] = useAddress();
  const close = () => go({ new: undefined, policy: undefined });
  return {
    close,
    title: policy ? `Policy ${policy.name}` : 'New policy',
    shared: { parts: PARTS, submit: policy ? 'Save' : 'Create', onCancel: close, onDone: close },
  };
}

interface ChangePolicyFormProps {
  readonly projectId: string;
  readonly policy: ChangePolicy | undefined;
}

export function ChangePolicyForm({ projectId, policy }: ChangePolicyFormProps) {
  const { close, title, shared } = useFormOf(policy);
  return (
    <Dialog title={title} look="wide" onClose={close}>
      {policy ? (
        <OperationForm
          {...shared}
          area="secretApprovals"
          procedure="update"
          given={{ sapId: policy.id }}
          update={{ current: policy }}
        />
      ) : (
        <OperationForm {...shared} area="secretApprovals" procedure="create" given={{ workspaceId: projectId }} />
      )}
    </Dialog>
  );
}

interface AccessPolicyFormProps {
  readonly projectSlug: string;
  readonly policy: AccessPolicy | undefined;
}

export function AccessPolicyForm({ projectSlug, policy }: AccessPolicyFormProps) {
  const { close, title, shared } = useFormOf(policy);
  return (
    <Dialog title={title} look="wide" onClose={close}>
      {policy ? (
        <OperationForm
          {...shared}
          area="accessApprovals"
          procedure="updatePolicy"
          given={{ policyId: policy.id }}
          update={{ current: policy }}
        />
      ) : (
        <OperationForm {...shared} area="accessApprovals" procedure="createPolicy" given={{ projectSlug }} />
      )}
    </Dialog>
  );
}

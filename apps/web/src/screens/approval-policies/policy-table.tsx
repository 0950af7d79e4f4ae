import type { Outputs } from '@coffer/client';
import { useAddress } from '../../app/address.ts';
import { useChange } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';

export type ChangePolicy = Outputs['secretApprovals']['list']['approvals'][number];
export type AccessPolicy = Outputs['accessApprovals']['listPolicies']['approvals'][number];

interface PolicyTableProps {
  readonly kind: 'changes' | 'access';
  readonly policies: readonly (AccessPolicy & Partial<ChangePolicy>)[];
}

const EFFECTS = {
  changes: 'Its open requests are closed, and what it covers can be written without approval.',
  access: 'Its open requests are rejected. Rights that were granted stay.',
} as const;

export function PolicyTable({ kind, policies }: PolicyTableProps) {
  const [, go] = useAddress();
  const may = useProjectRights(useProjectId());
  const removeChange = useChange('secretApprovals', 'delete', ['secretApprovals', 'secretApprovalRequests']);
  const removeAccess = useChange('accessApprovals', 'deletePolicy', ['accessApprovals']);
  const remove = (id: string) =>
    kind === 'changes' ? removeChange.mutateAsync({ sapId: id }) : removeAccess.mutateAsync({ policyId: id });
  return (
    <Table
      label="Approval policies"
      rows={policies}
      keyOf={({ id }) => id}
      empty={
        kind === 'changes'
          ? 'Secrets can be changed without approval by all who have the right.'
          : 'Nobody can ask for access: a policy says who may grant it.'
      }
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        {
          title: 'Covers',
          cell: ({ environment, secretPath }) => `${environment.slug} ${secretPath ?? '(all folders)'}`,
        },
        { title: 'Approvals', cell: ({ approvals }) => approvals },
        { title: 'Approvers', cell: ({ approvers }) => approvers.map(({ name }) => name).join(', ') },
        {
          title: 'Rules',
          cell: ({ enforcementLevel, allowedSelfApprovals, exemptMachines, exemptIdentityIds = [] }) => (
            <Row>
              <Badge kind={enforcementLevel === 'hard' ? 'good' : 'warn'}>{enforcementLevel}</Badge>
              {allowedSelfApprovals && <Badge kind="warn">self-approval</Badge>}
              {(exemptMachines || exemptIdentityIds.length > 0) && <Badge kind="warn">machines exempt</Badge>}
            </Row>
          ),
        },
        {
          title: 'Details',
          cell: ({ id, name }) => (
            <Row>
              {may('secret-approval', 'edit') && (
                <Button aria-label={`Edit ${name}`} onClick={() => go({ policy: id })}>
                  Edit
                </Button>
              )}
              {may('secret-approval', 'delete') && (
                <Act
                  label="Delete"
                  kind="danger"
                  run={() => remove(id)}
                  done="Deleted."
                  ask={{ title: `Delete the policy ${name}?`, children: <p>{EFFECTS[kind]}</p> }}
                />
              )}
            </Row>
          ),
        },
      ]}
    />
  );
}

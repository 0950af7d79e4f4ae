import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';
import type { Policy, PolicyKind } from './policy-kind.tsx';

interface PolicyTableProps {
  readonly kind: PolicyKind;
  readonly policies: readonly Policy[];
}

export function PolicyTable({ kind, policies }: PolicyTableProps) {
  const [, go] = useAddress();
  const may = useProjectRights(useProjectId());
  return (
    <Table
      label="Approval policies"
      rows={policies}
      keyOf={({ id }) => id}
      empty={kind.empty}
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
                  run={() => kind.remove(id)}
                  done="Deleted."
                  ask={{ title: `Delete the policy ${name}?`, children: <p>{kind.deletion}</p> }}
                />
              )}
            </Row>
          ),
        },
      ]}
    />
  );
}

import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';
import type { Policy, PolicyKind } from './policy-kind.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface PolicyTableProps {
  readonly kind: PolicyKind;
  readonly policies: readonly Policy[];
}

export function PolicyTable({ kind, policies }: PolicyTableProps) {
  const [, go] = useAddress();
  const may = useProjectRights(useProjectId());
  return (
    <Table
      label={texts.approvalPolicies}
      rows={policies}
      keyOf={({ id }) => id}
      empty={kind.empty}
      columns={[
        { title: words.name, cell: ({ name }) => name },
        {
          title: texts.covers,
          cell: ({ environment, secretPath }) => `${environment.slug} ${secretPath ?? texts.allFolders}`,
        },
        { title: texts.approvals, cell: ({ approvals }) => approvals },
        { title: texts.approvers, cell: ({ approvers }) => approvers.map(({ name }) => name).join(', ') },
        {
          title: words.rules,
          cell: ({ enforcementLevel, allowedSelfApprovals, exemptMachines, exemptIdentityIds = [] }) => (
            <Row>
              <Badge kind={enforcementLevel === 'hard' ? 'good' : 'warn'}>{enforcementLevel}</Badge>
              {allowedSelfApprovals && <Badge kind="warn">{texts.selfApproval}</Badge>}
              {(exemptMachines || exemptIdentityIds.length > 0) && <Badge kind="warn">{texts.machinesExempt}</Badge>}
            </Row>
          ),
        },
        {
          title: words.details,
          cell: ({ id, name }) => (
            <Row>
              {may('secret-approval', 'edit') && (
                <Button aria-label={texts.editName(name)} onClick={() => go({ policy: id })}>
                  {texts.edit}
                </Button>
              )}
              {may('secret-approval', 'delete') && (
                <Act
                  label={words.delete}
                  kind="danger"
                  run={() => kind.remove(id)}
                  done={texts.deleted}
                  ask={{ title: texts.deletePolicy(name), children: <p>{kind.deletion}</p> }}
                />
              )}
            </Row>
          ),
        },
      ]}
    />
  );
}

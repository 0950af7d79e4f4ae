import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Row } from '../../ui/field.tsx';
import { Badge, NotAllowed } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { Table } from '../../ui/table.tsx';

type TrustedIp = Outputs['trustedIps']['list']['trustedIps'][number];

const textOf = ({ ipAddress, prefix }: TrustedIp): string =>
  prefix === null || prefix === undefined ? ipAddress : `${ipAddress}/${prefix}`;

/** From which addresses the project can be used. */
export function TrustedIps({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  return may('ip-allowlist', 'read') ? (
    <List projectId={projectId} />
  ) : (
    <NotAllowed what="see the trusted addresses" action="read" subject="ip-allowlist" />
  );
}

function List({ projectId: workspaceId }: { readonly projectId: string }) {
  const may = useProjectRights(workspaceId);
  const found = useQuery(ask('trustedIps', 'list', { workspaceId }));
  const remove = useChange('trustedIps', 'delete');
  const [opened, setOpened] = useState<TrustedIp | 'new'>();
  const close = () => setOpened(undefined);
  const shared = { area: 'trustedIps', onCancel: close, onDone: close } as const;
  return (
    <>
      <p>While one of these is active, nobody uses the project from another address, people and machines alike.</p>
      <Queried query={found}>
        {({ trustedIps }) => (
          <Table
            label="Trusted addresses"
            rows={trustedIps}
            keyOf={({ id }) => id}
            empty="The project can be used from all addresses."
            columns={[
              { title: 'Address', cell: (one) => <code>{textOf(one)}</code> },
              { title: 'Comment', cell: ({ comment }) => comment || '–' },
              {
                title: 'State',
                cell: ({ isActive }) => (isActive ? <Badge kind="good">active</Badge> : <Badge>not active</Badge>),
              },
              {
                title: 'Actions',
                cell: (one) => (
                  <Row>
                    {may('ip-allowlist', 'edit') && (
                      <Button aria-label={`Change ${textOf(one)}`} onClick={() => setOpened(one)}>
                        Change
                      </Button>
                    )}
                    {may('ip-allowlist', 'delete') && (
                      <Act
                        label="Remove"
                        kind="danger"
                        run={() => remove.mutateAsync({ workspaceId, trustedIpId: one.id })}
                        done={`${textOf(one)} is removed.`}
                        ask={{ title: `Remove ${textOf(one)}?` }}
                      />
                    )}
                  </Row>
                ),
              },
            ]}
          />
        )}
      </Queried>
      {may('ip-allowlist', 'create') && (
        <Button onClick={() => setOpened('new')}>
          <Plus size={16} aria-hidden /> Add an address
        </Button>
      )}
      {opened === 'new' && (
        <Dialog title="New trusted address" onClose={close}>
          <OperationForm {...shared} procedure="create" given={{ workspaceId }} submit="Add" />
        </Dialog>
      )}
      {opened && opened !== 'new' && (
        <Dialog title={`Change ${textOf(opened)}`} onClose={close}>
          <OperationForm
            {...shared}
            procedure="update"
            given={{ workspaceId, trustedIpId: opened.id }}
            update={{ current: { ...opened, ipAddress: textOf(opened) } }}
            submit="Save"
          />
        </Dialog>
      )}
    </>
  );
}

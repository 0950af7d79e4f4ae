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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type TrustedIp = Outputs['trustedIps']['list']['trustedIps'][number];

const textOf = ({ ipAddress, prefix }: TrustedIp): string =>
  prefix === null || prefix === undefined ? ipAddress : `${ipAddress}/${prefix}`;

/** From which addresses the project can be used. */
export function TrustedIps({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  return may('ip-allowlist', 'read') ? (
    <List projectId={projectId} />
  ) : (
    <NotAllowed what={texts.seeTrustedAddresses} action="read" subject="ip-allowlist" />
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
      <p>{texts.whileOneOfTheseIsActive}</p>
      <Queried query={found}>
        {({ trustedIps }) => (
          <Table
            label={texts.trustedAddresses}
            rows={trustedIps}
            keyOf={({ id }) => id}
            empty={texts.projectCanBeUsed}
            columns={[
              { title: words.address, cell: (one) => <code>{textOf(one)}</code> },
              { title: words.comment, cell: ({ comment }) => comment || '–' },
              {
                title: words.state,
                cell: ({ isActive }) =>
                  isActive ? <Badge kind="good">{texts.active}</Badge> : <Badge>{texts.notActive}</Badge>,
              },
              {
                title: words.actions,
                cell: (one) => (
                  <Row>
                    {may('ip-allowlist', 'edit') && (
                      <Button aria-label={texts.changeAddress(textOf(one))} onClick={() => setOpened(one)}>
                        {words.change}
                      </Button>
                    )}
                    {may('ip-allowlist', 'delete') && (
                      <Act
                        label={words.remove}
                        kind="danger"
                        run={() => remove.mutateAsync({ workspaceId, trustedIpId: one.id })}
                        done={texts.isRemoved(textOf(one))}
                        ask={{ title: texts.removeAddress(textOf(one)) }}
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
          <Plus size={16} aria-hidden /> {texts.addAddress}
        </Button>
      )}
      {opened === 'new' && (
        <Dialog title={texts.newTrustedAddress} onClose={close}>
          <OperationForm {...shared} procedure="create" given={{ workspaceId }} submit={words.add} />
        </Dialog>
      )}
      {opened && opened !== 'new' && (
        <Dialog title={texts.changeAddress(textOf(opened))} onClose={close}>
          <OperationForm
            {...shared}
            procedure="update"
            given={{ workspaceId, trustedIpId: opened.id }}
            update={{ current: { ...opened, ipAddress: textOf(opened) } }}
            submit={words.save}
          />
        </Dialog>
      )}
    </>
  );
}

import type { AuditLogEntry } from '@coffer/client';
import { useAddress } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Row } from '../../ui/field.tsx';
import { exactTime, Time } from '../../ui/time.tsx';
import { actorId, actorName } from './entry.ts';

/** All that the log has of one event, and the way to others like it. */
export function Entry({ of: entry, onClose }: { readonly of: AuditLogEntry; readonly onClose: () => void }) {
  const [, go] = useAddress();
  const { event, actor, createdAt, expiresAt, projectName, ipAddress, userAgent } = entry;
  const byActor = actorId(entry);
  return (
    <Dialog look="side" title={event.type} onClose={onClose}>
      <Facts
        of={[
          ['When', exactTime(createdAt)],
          ['Who', actorName(entry)],
          ['Kind of actor', actor.type],
          ['Project', projectName],
          ['Address', ipAddress],
          ['Program', userAgent],
          ['Kept until', expiresAt && <Time at={expiresAt} />],
          ['Event ID', <code key="id">{entry.id}</code>],
        ]}
      />
      <Row>
        <Button onClick={() => go({ type: event.type, event: undefined })}>Only this type</Button>
        {byActor && <Button onClick={() => go({ actor: byActor, event: undefined })}>Only this actor</Button>}
      </Row>
      <h3>Event</h3>
      <Code label="Event">{JSON.stringify(event.metadata, undefined, 2)}</Code>
      <h3>Actor</h3>
      <Code label="Actor">{JSON.stringify(actor.metadata, undefined, 2)}</Code>
    </Dialog>
  );
}

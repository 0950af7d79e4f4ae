import type { AuditLogEntry } from '@coffer/client';
import { useAddress } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Row } from '../../ui/field.tsx';
import { exactTime, Time } from '../../ui/time.tsx';
import { actorId, actorName } from './entry.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** All that the log has of one event, and the way to others like it. */
export function Entry({ of: entry, onClose }: { readonly of: AuditLogEntry; readonly onClose: () => void }) {
  const [, go] = useAddress();
  const { event, actor, createdAt, expiresAt, projectName, ipAddress, userAgent } = entry;
  const byActor = actorId(entry);
  return (
    <Dialog look="side" title={event.type} onClose={onClose}>
      <Facts
        of={[
          [words.when, exactTime(createdAt)],
          [words.who, actorName(entry)],
          [texts.kindOfActor, actor.type],
          [words.project, projectName],
          [words.address, ipAddress],
          [texts.program, userAgent],
          [texts.keptUntil, expiresAt && <Time at={expiresAt} />],
          [texts.eventId, <code key="id">{entry.id}</code>],
        ]}
      />
      <Row>
        <Button onClick={() => go({ type: event.type, event: undefined })}>{texts.onlyThisType}</Button>
        {byActor && <Button onClick={() => go({ actor: byActor, event: undefined })}>{texts.onlyThisActor}</Button>}
      </Row>
      <h3>{texts.event}</h3>
      <Code label={texts.event}>{JSON.stringify(event.metadata, undefined, 2)}</Code>
      <h3>{texts.actor}</h3>
      <Code label={texts.actor}>{JSON.stringify(actor.metadata, undefined, 2)}</Code>
    </Dialog>
  );
}

import type { AuditLogEntry } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { Act } from '../../ui/act.tsx';
import { Facts, Status, type State } from '../../ui/detail.tsx';
import { Queried } from '../../ui/query.tsx';
import { texts } from './texts.ts';

/** Milliseconds between looks at what runs. */
const WHILE_RUNNING = 2_000;

/** When the whole log was verified the last time, with which result: an event of the log itself says so. */
export function Verification() {
  // What is newer than the event that was there is the result of the request.
  const [requestedAfter, setRequested] = useState<string>();
  const request = useChange('auditLog', 'verify', []);
  const found = useQuery({
    ...ask('auditLog', 'list', { eventType: 'verify-audit-log', limit: 1 }),
    refetchInterval: ({ state: { data } }) =>
      data && isAwaited(data.auditLogs[0], requestedAfter) ? WHILE_RUNNING : false,
  });
  return (
    <Queried query={found}>
      {({ auditLogs: [last] }) => {
        const isRunning = isAwaited(last, requestedAfter);
        return (
          <>
            <Facts
              of={[
                [
                  texts.lastVerified,
                  <Status key="last" {...(isRunning ? { kind: 'warn', text: texts.running } : stateOf(last))} />,
                ],
              ]}
            />
            <Act
              label={texts.verifyNow}
              isDisabled={isRunning}
              run={async () => {
                await request.mutateAsync({});
                setRequested(last?.id ?? '');
                await found.refetch();
              }}
              done={texts.wholeLogIsBeing}
            />
          </>
        );
      }}
    </Queried>
  );
}

const isAwaited = (last: AuditLogEntry | undefined, requestedAfter: string | undefined): boolean =>
  requestedAfter !== undefined && (last?.id ?? '') === requestedAfter;

function stateOf(last: AuditLogEntry | undefined): State {
  if (!last) return { text: texts.never };
  const {
    createdAt: at,
    event: { metadata },
  } = last;
  const [blocks, reason] = [String(metadata['blocks']), metadata['reason']];
  return metadata['isValid'] === true
    ? { kind: 'good', text: texts.inOrder(blocks), at }
    : { kind: 'bad', text: texts.notAsItWas, at, why: typeof reason === 'string' ? reason : null };
}

import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/detail.tsx';
import { Queried } from '../../ui/query.tsx';
import { Time } from '../../ui/time.tsx';
import { Verification } from './verification.tsx';
import styles from './audit.module.css';

const VERIFY = 'npm run coffer -- audit verify audit-log.jsonl';

/** How far the log is sealed: each block has the hash of the one before it, and a signature. */
export function Chain() {
  const mayVerify = useOrganizationRights()('audit-logs', 'read-all');
  const checkpoint = useQuery(ask('auditLog', 'checkpoint', {}));
  return (
    <details className={styles['chain']}>
      <summary>Chain</summary>
      <Queried query={checkpoint}>
        {({ checkpoint: { sequence, hash, signature, sealedAt, publicKey } }) =>
          sequence === 0 ? (
            <p>Nothing is sealed yet: events are sealed about a second after they happen.</p>
          ) : (
            <>
              <Facts
                of={[
                  ['Sealed blocks', sequence],
                  ['Last sealed', <Time key="sealed" at={sealedAt} />],
                  ['Hash of the last block', <code key="hash">{hash}</code>],
                  ['Signature', signature && <code>{signature}</code>],
                ]}
              />
              {mayVerify && <Verification />}
              <p>
                Keep the number and the hash elsewhere: with them a later export shows whether anything was changed or
                cut off since. An export is verified without this server:
              </p>
              <Code label="Verify an export">{VERIFY}</Code>
              <h3>Public key of the signatures</h3>
              <Code label="Public key">{publicKey}</Code>
            </>
          )
        }
      </Queried>
    </details>
  );
}

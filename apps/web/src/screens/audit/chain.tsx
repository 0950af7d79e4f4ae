import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/detail.tsx';
import { Queried } from '../../ui/query.tsx';
import { Time } from '../../ui/time.tsx';
import { Verification } from './verification.tsx';
import styles from './audit.module.css';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const VERIFY = 'npm run coffer -- audit verify audit-log.jsonl';

/** How far the log is sealed: each block has the hash of the one before it, and a signature. */
export function Chain() {
  const mayVerify = useOrganizationRights()('audit-logs', 'read-all');
  const checkpoint = useQuery(ask('auditLog', 'checkpoint', {}));
  return (
    <details className={styles['chain']}>
      <summary>{texts.chain}</summary>
      <Queried query={checkpoint}>
        {({ checkpoint: { sequence, hash, signature, sealedAt, publicKey } }) =>
          sequence === 0 ? (
            <p>{texts.nothingIsSealedYet}</p>
          ) : (
            <>
              <Facts
                of={[
                  [texts.sealedBlocks, sequence],
                  [texts.lastSealed, <Time key="sealed" at={sealedAt} />],
                  [texts.hashOfLastBlock, <code key="hash">{hash}</code>],
                  [words.signature, signature && <code>{signature}</code>],
                ]}
              />
              {mayVerify && <Verification />}
              <p>{texts.keepNumberAndHash}</p>
              <Code label={texts.verifyExport}>{VERIFY}</Code>
              <h3>{texts.publicKeyOfSignatures}</h3>
              <Code label={words.publicKey}>{publicKey}</Code>
            </>
          )
        }
      </Queried>
    </details>
  );
}

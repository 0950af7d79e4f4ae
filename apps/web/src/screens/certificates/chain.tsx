import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../app/project.ts';
import { Badge } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { AUTHORITY, useAuthorities } from './authorities-of.ts';
import styles from './chain.module.css';
import { certificatesIn, type PemCertificate } from './pem.ts';
import { texts } from './authorities.texts.ts';

interface ChainProps {
  /** PEM: the certificate itself. */
  readonly certificate: string;
  /** PEM of those above it, nearest first. */
  readonly certificateChain: string | null;
}

/** A chain of certificates, the root at the top. */
export function Chain({ certificate, certificateChain }: ChainProps) {
  const above = certificatesIn(certificateChain ?? '');
  const [own] = certificatesIn(certificate);
  if (!own) return <p>{texts.certificateCannotBeDrawn}</p>;
  const all = [own, ...above.filter(({ serialNumber }) => serialNumber !== own.serialNumber)].toReversed();
  const top = all[0];
  return (
    <>
      {top && top.subject !== top.issuer && <p>{texts.issuedAboveThisChain(top.issuer)}</p>}
      <ol className={styles['chain']} aria-label={texts.chainFromRootToCertificate}>
        {all.map((one, depth) => (
          <li key={one.serialNumber} style={{ marginInlineStart: `${Math.min(depth, 6) * 1.5}rem` }}>
            <Certificate of={one} isOwn={one === own} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Certificate({
  of: { serialNumber, subject, notAfter },
  isOwn,
}: {
  readonly of: PemCertificate;
  readonly isOwn: boolean;
}) {
  const projectId = useProjectId();
  const { data = [] } = useAuthorities();
  const authority = data.find(({ configuration }) => withoutZeros(configuration.serialNumber) === serialNumber);
  return (
    <>
      {authority && !isOwn ? (
        <Link to={AUTHORITY} params={{ projectId, id: authority.id }}>
          {subject}
        </Link>
      ) : (
        <strong>{subject}</strong>
      )}{' '}
      {new Date(notAfter) < new Date() ? <Badge kind="bad">{texts.expired}</Badge> : null}{' '}
      {texts.ends(<Time at={notAfter} />)} <code>{serialNumber.slice(0, 16)}</code>
    </>
  );
}

const withoutZeros = (serialNumber: string | null) => serialNumber?.replace(/^0+(?=.)/, '');

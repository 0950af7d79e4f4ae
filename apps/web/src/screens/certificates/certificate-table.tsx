import type { Outputs } from '@coffer/client';
import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../app/project.ts';
import { Status, type State } from '../../ui/detail.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAuthorityName } from './authorities-of.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export type ListedCertificate = Outputs['certificates']['list']['certificates'][number];

/** How a certificate is, with what ends it. */
export function certificateState({ status, notAfter, revokedAt, renewalError }: ListedCertificate): State {
  if (status === 'revoked') return { kind: 'bad', text: texts.revoked, at: revokedAt };
  if (status === 'expired') return { kind: 'bad', text: texts.expired, at: notAfter };
  return renewalError
    ? { kind: 'warn', text: texts.notRenewed, why: renewalError }
    : { kind: 'good', text: words.valid };
}

interface CertificateTableProps {
  readonly of: readonly ListedCertificate[];
  readonly empty: string;
}

export function CertificateTable({ of: certificates, empty }: CertificateTableProps) {
  const projectId = useProjectId();
  const nameOf = useAuthorityName();
  return (
    <Table
      label={words.certificates}
      rows={certificates}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          title: words.name,
          cell: ({ id, commonName, friendlyName }) => (
            <Link to="/projects/$projectId/certificates/$id" params={{ projectId, id }}>
              {friendlyName || commonName || id}
            </Link>
          ),
        },
        { title: texts.alternativeNames, cell: ({ altNames }) => altNames?.split(',').join(', ') },
        { title: words.authority, cell: ({ caId }) => (caId === null ? texts.imported : nameOf(caId)) },
        { title: words.status, cell: (one) => <Status {...certificateState(one)} /> },
        { title: words.ends, cell: ({ notAfter }) => <Time at={notAfter} /> },
        { title: texts.serialNumber, cell: ({ serialNumber }) => <code>{serialNumber.slice(0, 16)}</code> },
      ]}
    />
  );
}

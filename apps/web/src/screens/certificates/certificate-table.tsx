import type { Outputs } from '@coffer/client';
import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../app/project.ts';
import { Status, type State } from '../../ui/detail.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAuthorityName } from './authorities-of.ts';

export type ListedCertificate = Outputs['certificates']['list']['certificates'][number];

/** How a certificate is, with what ends it. */
export function certificateState({ status, notAfter, revokedAt, renewalError }: ListedCertificate): State {
  if (status === 'revoked') return { kind: 'bad', text: 'Revoked', at: revokedAt };
  if (status === 'expired') return { kind: 'bad', text: 'Expired', at: notAfter };
  return renewalError ? { kind: 'warn', text: 'Not renewed', why: renewalError } : { kind: 'good', text: 'Valid' };
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
      label="Certificates"
      rows={certificates}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          title: 'Name',
          cell: ({ id, commonName, friendlyName }) => (
            <Link to="/projects/$projectId/certificates/$id" params={{ projectId, id }}>
              {friendlyName || commonName || id}
            </Link>
          ),
        },
        { title: 'Alternative names', cell: ({ altNames }) => altNames?.split(',').join(', ') },
        { title: 'Authority', cell: ({ caId }) => (caId === null ? 'Imported' : nameOf(caId)) },
        { title: 'Status', cell: (one) => <Status {...certificateState(one)} /> },
        { title: 'Ends', cell: ({ notAfter }) => <Time at={notAfter} /> },
        { title: 'Serial number', cell: ({ serialNumber }) => <code>{serialNumber.slice(0, 16)}</code> },
      ]}
    />
  );
}

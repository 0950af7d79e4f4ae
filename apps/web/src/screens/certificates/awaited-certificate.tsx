import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Part } from '../../ui/detail.tsx';
import { download, fileName } from '../../ui/download.ts';
import { Row } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Authority } from './authorities-of.ts';
import { parentPart } from './parts.tsx';

/** An intermediate without a certificate: its request for one, and the two ways to get it. */
export function AwaitedCertificate({ of: { id: caId, name, projectId } }: { readonly of: Authority }) {
  const may = useProjectRights(projectId);
  const request = useQuery(ask('certificateAuthorities', 'request', { caId }));
  const [way, setWay] = useState<'import' | 'here'>();
  const done = () => toast(`${name} has its certificate`);
  return (
    <Part title="It has no certificate yet">
      <p>Sign this request by an authority elsewhere and import the certificate, or have an authority here sign it.</p>
      <Queried query={request}>
        {({ csr }) => (
          <>
            <Code label="Certificate signing request">{csr}</Code>
            <Button onClick={() => download(fileName(name, 'csr.pem'), csr)}>Download the request</Button>
          </>
        )}
      </Queried>
      <Row>
        {may('certificate-authorities', 'create') && (
          <Button onClick={() => setWay('import')}>Import its certificate</Button>
        )}
        {may('certificate-authorities', 'edit') && <Button onClick={() => setWay('here')}>Sign it here</Button>}
      </Row>
      {way === 'import' && (
        <OperationForm
          area="certificateAuthorities"
          procedure="importCertificate"
          given={{ caId }}
          submit="Import"
          onCancel={() => setWay(undefined)}
          onDone={done}
        />
      )}
      {way === 'here' && (
        <OperationForm
          area="certificateAuthorities"
          procedure="createSigningConfig"
          given={{ caId, type: 'internal' }}
          parts={{ parentCaId: parentPart }}
          submit="Sign"
          onCancel={() => setWay(undefined)}
          onDone={done}
        />
      )}
    </Part>
  );
}

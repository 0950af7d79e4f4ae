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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** An intermediate without a certificate: its request for one, and the two ways to get it. */
export function AwaitedCertificate({ of: { id: caId, name, projectId } }: { readonly of: Authority }) {
  const may = useProjectRights(projectId);
  const request = useQuery(ask('certificateAuthorities', 'request', { caId }));
  const [way, setWay] = useState<'import' | 'here'>();
  const done = () => toast(texts.hasItsCertificate(name));
  return (
    <Part title={texts.itHasNoCertificate}>
      <p>{texts.signThisRequestByAuthority}</p>
      <Queried query={request}>
        {({ csr }) => (
          <>
            <Code label={texts.certificateSigningRequest}>{csr}</Code>
            <Button onClick={() => download(fileName(name, 'csr.pem'), csr)}>{texts.downloadRequest}</Button>
          </>
        )}
      </Queried>
      <Row>
        {may('certificate-authorities', 'create') && (
          <Button onClick={() => setWay('import')}>{texts.importItsCertificate}</Button>
        )}
        {may('certificate-authorities', 'edit') && <Button onClick={() => setWay('here')}>{texts.signItHere}</Button>}
      </Row>
      {way === 'import' && (
        <OperationForm
          area="certificateAuthorities"
          procedure="importCertificate"
          given={{ caId }}
          submit={words.import}
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
          submit={texts.sign}
          onCancel={() => setWay(undefined)}
          onDone={done}
        />
      )}
    </Part>
  );
}

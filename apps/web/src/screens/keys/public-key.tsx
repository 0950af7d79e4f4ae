import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Part } from '../../ui/detail.tsx';
import { download, fileName } from '../../ui/download.ts';
import { Row, SelectField } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import type { Key } from './key.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The public key of each version of a key that signs, for whoever verifies. */
export function PublicKey({ of: { id: keyId, name, keyUsage, version: newest, projectId } }: { readonly of: Key }) {
  const [version, setVersion] = useState(newest);
  const found = useQuery({
    ...ask('kmsKeys', 'getPublicKey', { keyId, version }),
    enabled: keyUsage === 'sign-verify',
  });
  if (keyUsage !== 'sign-verify') return null;
  return (
    <Part title={words.publicKey}>
      <SelectField label={words.version} value={version} onChange={(event) => setVersion(Number(event.target.value))}>
        {Array.from({ length: newest }, (_, index) => newest - index).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </SelectField>
      <Queried query={found}>
        {({ publicKeyPem, publicKeyJwk }) => (
          <>
            <Code label={words.publicKey}>{publicKeyPem}</Code>
            <Row>
              <Button onClick={() => download(fileName(`${name}-${version}`, 'pem'), publicKeyPem)}>{texts.pem}</Button>
              <Button
                onClick={() =>
                  download(fileName(`${name}-${version}`, 'jwk.json'), JSON.stringify(publicKeyJwk, undefined, 2))
                }
              >
                {texts.jwk}
              </Button>
            </Row>
          </>
        )}
      </Queried>
      <p>{texts.allOfProject(<code>{`${location.origin}/api/v1/projects/${projectId}/kms/jwks`}</code>)}</p>
    </Part>
  );
}

import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Row } from '../../ui/field.tsx';
import type { Draft } from './drafts.ts';

type At = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;

/** A word for a POSIX shell. */
const word = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** How a machine reads a secret: by the command line, by curl, and from TypeScript. */
function waysToRead(origin: string, projectId: string, { environment, secretPath, secretKey }: At) {
  const query = new URLSearchParams({ projectId, environment, secretPath });
  return {
    'Command line': `coffer secrets get ${word(secretKey)} --plain --projectId ${projectId} --env ${word(environment)} --path ${word(secretPath)} --domain ${origin}`,
    curl: `curl -H "Authorization: Bearer $COFFER_TOKEN" ${word(`${origin}/api/v4/secrets/${encodeURIComponent(secretKey)}?${query}`)}`,
    TypeScript: [
      `import { createCofferClient } from '@coffer/client';`,
      ``,
      `const coffer = createCofferClient({ url: ${JSON.stringify(origin)}, auth: { clientId, clientSecret } });`,
      `const { secret } = await coffer.secrets.get.query(${JSON.stringify({ projectId, environment, secretPath, secretName: secretKey })});`,
    ].join('\n'),
  };
}

export function CopyAs({ projectId, at }: { readonly projectId: string; readonly at: At }) {
  const ways = waysToRead(location.origin, projectId, at);
  const [way, setWay] = useState<keyof typeof ways>('Command line');
  return (
    <section>
      <h3>Read it by a machine</h3>
      <Row>
        {(Object.keys(ways) as (keyof typeof ways)[]).map((one) => (
          <Button
            key={one}
            aria-pressed={one === way}
            {...(one === way && { kind: 'primary' as const })}
            onClick={() => setWay(one)}
          >
            {one}
          </Button>
        ))}
      </Row>
      <Code label={way}>{ways[way]}</Code>
    </section>
  );
}

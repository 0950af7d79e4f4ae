import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { Row } from '../../ui/field.tsx';
import type { Draft } from './drafts.ts';
import type { Place } from './place.ts';
import { texts } from './texts.ts';

type At = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;
type Folder = Omit<At, 'secretKey'>;
type Ways = Readonly<Record<'commandLine' | 'curl' | 'typeScript', string>>;

const LABELS: Ways = { commandLine: texts.commandLine, curl: 'curl', typeScript: 'TypeScript' };

/** A word for a POSIX shell. */
const word = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const connect = (origin: string): string[] => [
  `import { createCofferClient } from '@coffer/client';`,
  ``,
  `const coffer = createCofferClient({ url: ${JSON.stringify(origin)}, auth: { clientId, clientSecret } });`,
];

/** How a machine reads a secret: by the command line, by curl, and from TypeScript. */
function waysToRead(origin: string, projectId: string, { environment, secretPath, secretKey }: At): Ways {
  const query = new URLSearchParams({ projectId, environment, secretPath });
  return {
    commandLine: `coffer secrets get ${word(secretKey)} --plain --projectId ${projectId} --env ${word(environment)} --path ${word(secretPath)} --domain ${origin}`,
    curl: `curl -H "Authorization: Bearer $COFFER_TOKEN" ${word(`${origin}/api/v4/secrets/${encodeURIComponent(secretKey)}?${query}`)}`,
    typeScript: [
      ...connect(origin),
      `const { secret } = await coffer.secrets.get.query(${JSON.stringify({ projectId, environment, secretPath, secretName: secretKey })});`,
    ].join('\n'),
  };
}

/** How a machine reads all secrets of a folder. */
function waysToReadFolder(origin: string, projectId: string, { environment, secretPath }: Folder): Ways {
  const query = new URLSearchParams({ projectId, environment, secretPath });
  return {
    commandLine: `coffer export --projectId ${projectId} --env ${word(environment)} --path ${word(secretPath)} --domain ${origin}`,
    curl: `curl -H "Authorization: Bearer $COFFER_TOKEN" ${word(`${origin}/api/v4/secrets?${query}`)}`,
    typeScript: [
      ...connect(origin),
      `const { secrets } = await coffer.secrets.list.query(${JSON.stringify({ projectId, environment, secretPath })});`,
    ].join('\n'),
  };
}

export const CopyAs = ({ projectId, at }: { readonly projectId: string; readonly at: At }) => (
  <section>
    <h3>{texts.readItByMachine}</h3>
    <WaysToRead ways={waysToRead(location.origin, projectId, at)} />
  </section>
);

interface CopyFolderProps {
  readonly place: Place;
  readonly environments: readonly { readonly slug: string; readonly name: string }[];
  readonly onClose: () => void;
}

/** The same for all secrets of the folder. */
export function CopyFolder({ place: { projectId, path }, environments, onClose }: CopyFolderProps) {
  const [environment, setEnvironment] = useState(environments[0]?.slug ?? '');
  return (
    <Dialog title={texts.readByMachine(path)} look="wide" onClose={onClose}>
      <EnvironmentField environments={environments} value={environment} onChange={setEnvironment} />
      <WaysToRead ways={waysToReadFolder(location.origin, projectId, { environment, secretPath: path })} />
    </Dialog>
  );
}

function WaysToRead({ ways }: { readonly ways: Ways }) {
  const [way, setWay] = useState<keyof Ways>('commandLine');
  return (
    <>
      <Row>
        {(Object.keys(ways) as (keyof Ways)[]).map((one) => (
          <Button
            key={one}
            aria-pressed={one === way}
            {...(one === way && { kind: 'primary' as const })}
            onClick={() => setWay(one)}
          >
            {LABELS[one]}
          </Button>
        ))}
      </Row>
      <Code label={LABELS[way]}>{ways[way]}</Code>
    </>
  );
}

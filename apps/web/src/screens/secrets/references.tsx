import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Queried } from '../../ui/query.tsx';
import type { Draft } from './drafts.ts';
import { texts } from './texts.ts';

type At = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;

interface Node {
  readonly key: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly children: readonly Node[];
}

/** Which secrets refer to this one: what a change or a deletion of it reaches. */
export function References({ projectId, at }: { readonly projectId: string; readonly at: At }) {
  const { environment, secretPath, secretKey } = at;
  const dependents = useQuery(
    ask('secrets', 'dependents', { projectId, environment, secretPath, secretName: secretKey }),
  );
  return (
    <section>
      <h3>{texts.usedBy}</h3>
      <Queried query={dependents}>
        {({ tree }) =>
          tree.children.length === 0 ? <p>{texts.noSecretRefersToIt}</p> : <Tree nodes={tree.children} />
        }
      </Queried>
    </section>
  );
}

const Tree = ({ nodes }: { readonly nodes: readonly Node[] }) => (
  <ul>
    {nodes.map(({ key, environment, secretPath, children }) => (
      <li key={`${environment} ${secretPath} ${key}`}>
        {texts.linkAt(<code>{key}</code>, environment, secretPath)}
        {children.length > 0 && <Tree nodes={children} />}
      </li>
    ))}
  </ul>
);

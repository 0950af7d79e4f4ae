import type { Outputs } from '@coffer/client';
import { useState } from 'react';
import { reveal, useRevealed } from '../../app/reveal.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/note.tsx';
import { toastError } from '../../ui/toast.tsx';
import type { Draft } from './drafts.ts';
import { texts } from './texts.ts';

type At = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;
type Hop = Outputs['secrets']['trace']['tree'];

/** A hop without its value. */
interface Step extends Omit<Hop, 'value' | 'children'> {
  /** Under which its value is revealed. */
  readonly name: string;
  readonly isThere: boolean;
  readonly children: readonly Step[];
}

/** Where the references of a value lead, step by step. Reading it is one read, which the server records. */
export function Trace({ projectId, at }: { readonly projectId: string; readonly at: At }) {
  const [steps, setSteps] = useState<readonly Step[]>();
  const { environment, secretPath, secretKey: secretName } = at;
  const name = ['trace', projectId, environment, secretPath, secretName].join('\n');
  const show = () => {
    coffer.secrets.trace
      .query({ projectId, environment, secretPath, secretName })
      .then(({ tree, value }) => {
        reveal(name, value);
        setSteps(tree.children.map((hop, index) => stepOf(hop, `${name}\n${index}`)));
      })
      .catch(toastError);
  };
  return (
    <section>
      <h3>{texts.whatItsReferencesBecome}</h3>
      <Button onClick={show}>{texts.resolveValue}</Button>
      {steps && (
        <>
          <p>
            {texts.resolved} <Value name={name} />
          </p>
          {steps.length === 0 ? <p>{texts.itRefersToNoOtherSecret}</p> : <Steps of={steps} />}
        </>
      )}
    </section>
  );
}

function stepOf({ value, children, ...hop }: Hop, name: string): Step {
  if (value !== undefined) reveal(name, value);
  const below = children.map((child, index) => stepOf(child, `${name}\n${index}`));
  return { ...hop, name, isThere: value !== undefined, children: below };
}

function Value({ name }: { readonly name: string }) {
  const shown = useRevealed(name);
  return shown === undefined ? '••••••' : <code>{shown}</code>;
}

const Steps = ({ of: steps }: { readonly of: readonly Step[] }) => (
  <ul>
    {steps.map(({ name, key, environment, secretPath, isThere, isImported, children }) => (
      <li key={name}>
        {texts.linkAt(<code>{key}</code>, environment, secretPath)} {isImported && <Badge>{texts.imported}</Badge>}{' '}
        {isThere ? <Value name={name} /> : <Badge kind="bad">{texts.missingOrRefersToItself}</Badge>}
        {children.length > 0 && <Steps of={children} />}
      </li>
    ))}
  </ul>
);

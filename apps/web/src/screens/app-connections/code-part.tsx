import { useContext } from 'react';
import { Button } from '../../ui/button.tsx';
import { SecretField } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import { FormContext, type FieldProps } from '../../ui/schema-form/context.ts';
import { useAuthorization } from './authorization.ts';
import { texts } from './texts.ts';

/** In place of the field for the code of an authorization: the button that gets it. */
export const codePart = (app: string, name: string, clientId: string) =>
  function CodePart({ path, onChange }: FieldProps) {
    const { entered, faults } = useContext(FormContext);
    const { isDone, begin } = useAuthorization(app, clientId, onChange);
    const fault = faults.get(path);
    // The address of a GitHub App is not known here: its code is in the address that its installation leads to.
    if (entered['method'] !== 'oauth')
      return <SecretField label={texts.code} error={fault} required onChange={onChange} />;
    return (
      <p>
        <Button onClick={() => begin(entered)}>{texts.authorizeAt(name)}</Button>{' '}
        {isDone ? <Badge kind="good">{texts.authorized}</Badge> : texts.windowOpensInWhichYou}
        {fault && <span role="alert"> {fault}</span>}
      </p>
    );
  };

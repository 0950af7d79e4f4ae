import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { Effect } from './effect.tsx';
import type { PlannedChange } from './planned.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface PlannedFormProps<Input, Output> {
  readonly planned: PlannedChange<Input, Output>;
  /** What would be sent; `undefined` while the form is incomplete. */
  readonly input: Input | undefined;
  /** The words on the button: `Save`, `Remove`. */
  readonly submit: string;
  readonly kind?: 'primary' | 'danger';
  readonly onDone: (output: Output) => void;
  readonly onCancel?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** A form for a change of rights. Its effect can be seen before it is made. */
export function PlannedForm<Input, Output>({
  planned: { operation, change, plan },
  input,
  submit,
  kind = 'primary',
  onDone,
  onCancel,
  children,
}: PlannedFormProps<Input, Output>) {
  const [shownFor, setShownFor] = useState('');
  const key = JSON.stringify(input);
  const isShown = shownFor === key;
  const show = () => {
    if (input === undefined) return;
    setShownFor(key);
    plan.mutate(input);
  };
  const error = change.error ?? (isShown ? plan.error : null);
  return (
    <form
      data-operation={operation}
      onSubmit={(event) => {
        event.preventDefault();
        if (input !== undefined && !change.isPending) change.mutate(input, { onSuccess: onDone });
      }}
    >
      {children}
      {isShown && plan.data && !change.error && <Effect plan={plan.data} />}
      {error && <ErrorNote error={error} />}
      <Actions>
        {onCancel && <Button onClick={onCancel}>{words.cancel}</Button>}
        <Button onClick={show} disabled={input === undefined} isBusy={plan.isPending}>
          {texts.showEffect}
        </Button>
        <Button kind={kind} type="submit" disabled={input === undefined} isBusy={change.isPending}>
          {submit}
        </Button>
      </Actions>
    </form>
  );
}

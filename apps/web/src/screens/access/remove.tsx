import type { ReactNode } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { PlannedForm } from './planned-form.tsx';
import type { PlannedChange } from './planned.ts';

interface RemoveProps<Input> {
  readonly title: string;
  /** The words on the button: `Remove`, `Delete`. */
  readonly submit: string;
  readonly planned: PlannedChange<Input>;
  readonly input: Input;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** What it means, naming the thing. */
  readonly children: ReactNode;
}

/** Asks once before something that takes rights from somebody. */
export const Remove = <Input,>({ title, submit, planned, input, onDone, onClose, children }: RemoveProps<Input>) => (
  <Dialog title={title} onClose={onClose}>
    <PlannedForm planned={planned} input={input} submit={submit} kind="danger" onDone={onDone} onCancel={onClose}>
      <p>{children}</p>
    </PlannedForm>
  </Dialog>
);

import { useState } from 'react';
import { toast } from '../../ui/toast.tsx';
import { PlannedForm } from './planned-form.tsx';
import type { PlannedChange } from './planned.ts';
import { choicesOf, RoleFields, toRoles, type Assignable, type HeldRole, type RoleChoice } from './roles.tsx';
import { texts } from './texts.ts';

interface RolesFormProps<Input> {
  readonly roles: readonly HeldRole[];
  readonly known: readonly Assignable[];
  readonly planned: PlannedChange<Input>;
  readonly toInput: (roles: NonNullable<ReturnType<typeof toRoles>>) => Input;
  readonly onDone: () => void;
}

/** Changes the roles of a member. */
export function RolesForm<Input>({ roles, known, planned, toInput, onDone }: RolesFormProps<Input>) {
  const [choices, setChoices] = useState<readonly RoleChoice[]>(() => choicesOf(roles));
  const [now] = useState(() => new Date().toISOString());
  const sent = toRoles(choices, now);
  return (
    <PlannedForm
      planned={planned}
      input={sent && toInput(sent)}
      submit={texts.saveRoles}
      onDone={() => {
        toast(texts.rolesAreSaved);
        onDone();
      }}
    >
      <RoleFields known={known} value={choices} onChange={setChoices} />
    </PlannedForm>
  );
}

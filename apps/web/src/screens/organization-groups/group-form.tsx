import { useState } from 'react';
import { SelectField, TextField } from '../../ui/field.tsx';
import { PlannedForm } from '../access/planned-form.tsx';
import type { PlannedChange } from '../access/planned.ts';
import { useOrganizationRoles } from '../access/project-roles.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export interface EditedGroup {
  readonly name: string;
  readonly slug?: string;
  readonly role: string;
}

interface GroupFormProps<Output> {
  readonly group?: {
    readonly name: string;
    readonly slug: string;
    readonly role: string;
    readonly roleId: string | null;
  };
  readonly planned: PlannedChange<EditedGroup, Output>;
  readonly submit: string;
  readonly onDone: (output: Output) => void;
}

export function GroupForm<Output>({ group, planned, submit, onDone }: GroupFormProps<Output>) {
  const roles = useOrganizationRoles();
  const present = group
    ? (roles.find(({ id, slug }) => (group.roleId ? id === group.roleId : slug === group.role))?.slug ?? group.role)
    : 'no-access';
  const [name, setName] = useState(group?.name ?? '');
  const [slug, setSlug] = useState(group?.slug ?? '');
  const [changed, setChanged] = useState<string>();
  const role = changed ?? present;
  return (
    <PlannedForm
      planned={planned}
      input={name.trim() ? { name: name.trim(), ...(slug && { slug }), role } : undefined}
      submit={submit}
      onDone={onDone}
    >
      <TextField
        label={words.name}
        required
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={words.slug}
        isMono
        hint={texts.emptyAfterName}
        value={slug}
        onChange={(event) => setSlug(event.target.value)}
      />
      <SelectField
        label={words.roleInTheOrganization}
        value={role}
        onChange={(event) => setChanged(event.target.value)}
      >
        {!roles.some((one) => one.slug === role) && <option value={role}>{role}</option>}
        {roles.map((one) => (
          <option key={one.slug} value={one.slug}>
            {one.name}
          </option>
        ))}
      </SelectField>
    </PlannedForm>
  );
}

import { SelectField } from './field.tsx';
import { words } from './words.texts.ts';

interface EnvironmentFieldProps {
  readonly label?: string;
  readonly environments: readonly { readonly slug: string; readonly name: string }[];
  /** A slug. */
  readonly value: string;
  readonly onChange: (slug: string) => void;
  readonly error?: string | undefined;
  /** Whether none is chosen at first. */
  readonly isOpen?: boolean;
}

/** One of the environments of a project. */
export const EnvironmentField = ({
  label = words.environment,
  environments,
  value,
  onChange,
  error,
  isOpen = false,
}: EnvironmentFieldProps) => (
  <SelectField label={label} required error={error} value={value} onChange={({ target }) => onChange(target.value)}>
    {isOpen && <option value="">{words.choose}</option>}
    {environments.map(({ slug, name }) => (
      <option key={slug} value={slug}>
        {name}
      </option>
    ))}
  </SelectField>
);

import { SecretField } from './field.tsx';

/** A password that is chosen. The server refuses common ones. */
export const NewPasswordField = ({
  label = 'New password',
  onChange,
}: {
  readonly label?: string;
  readonly onChange: (password: string) => void;
}) => <SecretField label={label} required minLength={12} hint="At least 12 characters" onChange={onChange} />;

import { SecretField } from './field.tsx';
import { texts } from './texts.ts';

/** A password that is chosen. The server refuses common ones. */
export const NewPasswordField = ({
  label = texts.newPassword,
  onChange,
}: {
  readonly label?: string;
  readonly onChange: (password: string) => void;
}) => <SecretField label={label} required minLength={12} hint={texts.atLeast12Characters} onChange={onChange} />;

import { Eye, EyeOff } from 'lucide-react';
import { useId, useState, type ChangeEvent, type ComponentProps, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { texts } from './texts.ts';

interface Described {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

/** The label of an input, what explains it, and what is wrong with it. */
function useDescription({ label, hint, error }: Described) {
  const id = useId();
  const described = classes(hint ? `${id}-hint` : undefined, error ? `${id}-error` : undefined);
  return {
    props: { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined } as const,
    wrap: (input: ReactNode) => (
      <div className={styles['field']}>
        <label className={styles['label']} htmlFor={id}>
          {label}
        </label>
        {input}
        {hint && (
          <span id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </span>
        )}
        {error && (
          <span id={`${id}-error`} className={styles['error']} role="alert">
            {error}
          </span>
        )}
      </div>
    ),
  };
}

type Plain<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Tag>,
  'className' | 'id' | keyof Described
> &
  Described;

/** One line of text. Browsers check no spelling in it: that would send it elsewhere. */
export function TextField({
  label,
  hint,
  error,
  isMono = false,
  ...rest
}: Plain<'input'> & { readonly isMono?: boolean }) {
  const { props, wrap } = useDescription({ label, hint, error });
  return wrap(
    <input
      spellCheck={false}
      autoComplete="off"
      {...rest}
      {...props}
      className={classes(styles['input'], isMono && styles['mono'])}
    />,
  );
}

interface Secret extends Described {
  readonly onChange: (text: string) => void;
  readonly required?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Of several lines, as a private key is. */
  readonly isLong?: boolean;
}

/** A secret that is entered: masked until it is shown, in no attribute of the page, and not offered to be remembered. */
export function SecretField({ label, hint, error, onChange, isLong = false, ...rest }: Secret) {
  const { props, wrap } = useDescription({ label, hint, error });
  const [isShown, setShown] = useState(false);
  const shared = {
    ...rest,
    ...props,
    spellCheck: false,
    autoComplete: isLong ? 'off' : 'new-password',
    defaultValue: '',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.target.value),
  } as const;
  const look = classes(styles['input'], styles['mono'], isLong && !isShown && styles['masked']);
  return wrap(
    <span className={styles['secret']}>
      {isLong ? (
        <textarea rows={4} {...shared} className={look} />
      ) : (
        <input type={isShown ? 'text' : 'password'} {...shared} className={look} />
      )}
      <IconButton label={isShown ? texts.hideLabel(label) : texts.showLabel(label)} onClick={() => setShown(!isShown)}>
        {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
      </IconButton>
    </span>,
  );
}

export function TextArea({ label, hint, error, ...rest }: Plain<'textarea'>) {
  const { props, wrap } = useDescription({ label, hint, error });
  return wrap(
    <textarea
      spellCheck={false}
      autoComplete="off"
      rows={4}
      {...rest}
      {...props}
      className={classes(styles['input'], styles['mono'])}
    />,
  );
}

export function SelectField({ label, hint, error, children, ...rest }: Plain<'select'>) {
  const { props, wrap } = useDescription({ label, hint, error });
  return wrap(
    <select {...rest} {...props} className={styles['input']}>
      {children}
    </select>,
  );
}

export const CheckField = ({
  label,
  ...rest
}: Omit<ComponentProps<'input'>, 'className' | 'type'> & { readonly label: ReactNode }) => (
  <label className={styles['check']}>
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
);

/** Inputs and buttons beside each other. */
export const Row = ({ children }: { readonly children: ReactNode }) => <div className={styles['row']}>{children}</div>;

export const inputClass = (isMono = false): string => classes(styles['input'], isMono && styles['mono']);

import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { classes } from './classes.ts';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly kind?: 'primary' | 'danger' | 'quiet';
  /** Shows that it works, and takes no further click. */
  readonly isBusy?: boolean | undefined;
}

export const Button = ({ kind, isBusy = false, disabled, children, type = 'button', ...rest }: ButtonProps) => (
  <button
    {...rest}
    type={type}
    disabled={disabled || isBusy}
    aria-busy={isBusy || undefined}
    className={classes(styles['button'], kind && styles[kind])}
  >
    {children}
  </button>
);

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'title' | 'aria-label'> {
  /** What it does: its name and its tool tip. */
  readonly label: string;
  readonly children: ReactNode;
}

export const IconButton = ({ label, children, type = 'button', ...rest }: IconButtonProps) => (
  <button {...rest} type={type} title={label} aria-label={label} className={classes(styles['button'], styles['icon'])}>
    {children}
  </button>
);

/** The look of a button, for links. */
export const buttonClass = (kind?: 'primary' | 'quiet'): string => classes(styles['button'], kind && styles[kind]);

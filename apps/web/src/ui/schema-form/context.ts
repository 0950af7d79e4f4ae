import { createContext, type ComponentType } from 'react';
import type { Shape } from './schema.ts';
import type { Entered } from './value.ts';

/** A value that may be entered, with what it is called. */
export interface Suggestion {
  readonly value: string;
  readonly label?: string | undefined;
}

export interface FieldProps<Of extends Shape = Shape> {
  readonly name: string;
  /** Its place in the input: `credentials.host`. */
  readonly path: string;
  readonly shape: Of;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

/** What the fields of one form share. */
export interface FormSettings {
  /** All that is entered so far. */
  readonly entered: Entered;
  /** What is wrong, by path. */
  readonly faults: ReadonlyMap<string, string>;
  /** An update: secrets that are not entered stay as they are. */
  readonly isUpdate: boolean;
  /** What takes the place of the generated field, by path: a choice of what there is. Items have `*` for their numbers. */
  readonly parts: Readonly<Record<string, ComponentType<FieldProps>>>;
  /** Fields that stand among the needed ones in this order, by path. */
  readonly prominent: readonly string[];
  /** What may be entered in a text, by path. */
  readonly suggestions: Readonly<Record<string, readonly Suggestion[] | undefined>>;
}

export const FormContext = createContext<FormSettings>({
  entered: {},
  faults: new Map(),
  isUpdate: false,
  parts: {},
  prominent: [],
  suggestions: {},
});
